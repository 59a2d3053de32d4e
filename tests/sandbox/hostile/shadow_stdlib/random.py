OWN = "random"
