OWN = "json"
