OWN = "helper"
