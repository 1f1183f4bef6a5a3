BigPepper 1
Rules: pepper-4
View: 0

Round 1: dealer 2, scores 0 0
Hand 0: 9C JC JD QD KH JS
Hand 1: ? ? ? ? ? ?
Hand 2: ? ? ? ? ? ?
Hand 3: ? ? ? ? ? ?
Auction: 3:pass 0:1 1:2 2:3 3:pass 0:pass 1:4 2:pass 3:pass 0:pass
Naming: 1:H
Lead 1: JH TC QH KH
Lead 1: AS KS 9S JS

End: unfinished, scores 0 0

