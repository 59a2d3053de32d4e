"""Acts against the rules, in one of several ways."""

WAY = "not held"


class Bot:
    def play(self, observation):
        hand = observation.hand
        if WAY == "not held":
            held = {card.text for card in hand}
            return [next(card for card in ("2C", "2D", "2H", "2S", "3C", "3D") if card not in held)]
        if WAY == "lower case":
            return [hand[0].text.lower()]
        if WAY == "padded":
            return [hand[0].text + " "]
        if WAY == "no card":
            return ["joker"]
        if WAY == "the same card twice":
            return [hand[0], hand[0]]
        return hand[:1] if not observation.lobby else []

    def choose_pile(self, observation, purpose):
        return "X" if WAY == "no pile" else observation.legal_piles[0]
