OWN = "arena"
