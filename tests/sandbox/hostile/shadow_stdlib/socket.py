OWN = "socket"
