BigPepper 1
Rules: pepper-2
Option: target = 15
Player 0: You
Player 1: Paprika
Bot 1: novice 0.1.0
Tag: practice

Round 1: dealer 0, scores 0 0
Hand 0: TC AC QD 9H JH QH KH KS
Hand 1: JC KC JD AD AH 9S TS AS
Dead: 9C QC 9D TD KD TH JS QS
Auction: 1:1 0:2 1:3 0:4 1:5 0:6 1:7 0:pass
Naming: 1:S
Lead 1: JC KS
Lead 1: AS 9H
Lead 1: AD QD
Lead 1: AH JH
Lead 1: JD TC
Lead 1: KC AC
Lead 0: QH 9S
Lead 1: TS KH
Result: tricks 1 7, points 1 7

Round 2: dealer 1, scores 1 7
Hand 0: 9C JC QC KC AC JD KH KS
Hand 1: TC KD 9H JH 9S TS JS AS
Dead: 9D TD QD AD TH QH AH QS
Auction: 0:1 1:2 0:3 1:4 0:5

End: unfinished, scores 1 7
Seed: 3
Bot-seed 1: 1

