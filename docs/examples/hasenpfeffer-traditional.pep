BigPepper 1
Rules: hasenpfeffer-traditional
Option: round_limit = 200
Date: 2026-03-01
Event: Four bots at the kitchen table
Bot 0: novice 0.1.0
Bot 1: novice 0.1.0
Bot 2: novice 0.1.0
Bot 3: novice 0.1.0

Round 1: dealer 0, scores 0 0
Hand 0: JC AC QD JH QS JO
Hand 1: TC KD AD QH KH TS
Hand 2: 9D JD 9H TH AH AS
Hand 3: 9C QC KC TD 9S JS
Widow: KS
Auction: 1:pass 2:1 3:2 0:3 1:pass 2:4 3:pass 0:pass 1:pass
Naming: 2:H-alone
Discard: 2:discard-9D
Defence: 3:pass 1:pass
Lead 3: 9C - TC 9H
Lead 2: JD TD - QH
Lead 2: KS 9S - TS
Lead 2: AS JS - KH
Lead 1: KD TH QC
Lead 2: AH KC - AD
Result: tricks 0 1 5 0, points 5 1

Round 2: dealer 1, scores 5 1
Hand 0: TC JD AD QH KH JO
Hand 1: AC TD QD KD 9H JH
Hand 2: 9C JC 9D TH TS QS
Hand 3: QC AH 9S JS KS AS
Widow: KC
Auction: 2:1 3:2 0:3 1:4 2:pass 3:5 0:pass 1:pass 2:pass
Naming: 3:S
Discard: 3:discard-QC
Lead 2: 9C KC TC AC
Lead 1: 9H TH AH QH
Lead 3: JS JO TD TS
Lead 0: AD QD 9D 9S
Lead 3: KS JD JH JC
Lead 2: QS AS KH KD
Result: tricks 1 1 1 3, points 2 -5

Round 3: dealer 2, scores 7 -4
Hand 0: KC AC JH 9S TS AS
Hand 1: JC QC KD 9H AH JO
Hand 2: 9C JD QD QH KH JS
Hand 3: TC 9D TD AD QS KS
Widow: TH
Auction: 3:1 0:2 1:3 2:pass 3:pass 0:pass
Naming: 1:C-alone
Discard: 1:discard-KD
Defence: 2:pass 0:pass
Lead 2: JD - 9S QC
Lead 1: JO 9C - KC
Lead 1: JC JS - AC
Lead 1: AH QH - JH
Lead 1: 9H KH - TS
Lead 2: QD - AS TH
Result: tricks 0 4 2 0, points 2 4

Round 4: dealer 3, scores 9 0
Hand 0: TC AC QD TH KH AS
Hand 1: 9C JD AD 9H QH QS
Hand 2: QC 9D KD JH JS JO
Hand 3: JC KC TD AH 9S TS
Widow: KS
Auction: 0:1 1:2 2:pass 3:3 0:pass 1:4 2:pass 3:pass 0:pass
Naming: 1:H
Discard: 1:discard-9C
Lead 0: AS QS JS 9S
Lead 0: AC KS QC JC
Lead 0: TC AD 9D KC
Lead 3: TS QD JD JH
Lead 2: JO AH TH 9H
Lead 2: KD TD KH QH
Result: tricks 3 0 2 1, points 5 -4

End: won by 0, scores 14 -4
Seed: 17
Bot-seed 0: 0
Bot-seed 1: 1
Bot-seed 2: 2
Bot-seed 3: 3

