"""Stop words: those that stand in every text of a language and say nothing of it."""

from __future__ import annotations

__all__ = ["STOP_WORDS"]

_ENGLISH = """
a about above after again against all also although always am among an and any are around as at be
because been before being below between both but by can cannot could did do does doing don done
down during each either else ever every few for from further get gets got had has have having he
her here hers herself him himself his how however i if in into is isn it its itself just ll may me
might more most much must my myself neither no nor not now of off often on once one only onto or
other our ours ourselves out over own per quite rather re s said same she should since so some such
t than that the their theirs them themselves then there therefore these they this those though
through thus to together too toward towards under until up upon us ve very via was we were what
when where whether which while who whom whose why will with within without would yet you your yours
yourself yourselves
"""
_GERMAN = """
aber alle als also am an auch auf aus bei bin bis bist da damit dann das dass dein dem den denn der
des dich die dies diese dieser dieses doch dort du durch ein eine einem einen einer eines er es
für habe haben hat hatte hier ich ihr ihre im in ist ja jede jeder kann kein keine können mehr mein
mit nach nicht noch nun nur ob oder ohne sehr sein seine sich sie sind so über um und uns unser
unter vom von vor war waren was weil wenn werden wie wieder wir wird wo wurde zu zum zur zwischen
"""
_FRENCH = """
à au aussi aux avec car ce ces cette comme d dans de des donc du elle elles en est et eux il ils j
je l la le les leur leurs lui ma mais me mes moi mon n ne nos notre nous on ont ou où par pas plus
pour qu que qui s sa sans se ses si son sont sous sur ta te tes toi ton tous tout très tu un une vos
votre vous y été être
"""
_SPANISH = """
a al algo como con cual cuando de del desde donde dos el ella ellas ellos en entre era es esta este
estas esto estos está fue ha han hasta hay la las le les lo los mas me mi mientras muy más no nos o
para pero por porque que quien se sea ser si sin sino sobre son su sus también te tiene todo todos
tu un una uno unos y ya yo
"""
_ITALIAN = """
a ad ai al alla alle allo anche che chi ci come con cui da dal dalla dei del della delle dello di
dove e ed era gli ha hanno ho i il in io la le lei lo loro lui ma mi mia nei nel nella nelle noi non
o per perché però più poi quando quella quello questa questo se sei si sia sono su sua sue suo
sulla ti tra tu un una uno è
"""
_PORTUGUESE = """
a ao aos as até com como da das de dela dele do dos e ela ele eles em entre era essa esse esta este
está eu foi há isso isto já lhe mais mas me mesmo meu minha muito na nas nem no nos não nós o os ou
para pela pelo por quando que quem se sem ser seu sua são só também te tem um uma você à é
"""
_DUTCH = """
aan al als bij dat de der deze die dit door een en er ge geen haar had heb hebben heeft het hij hoe
hun ik in is je kan me men met mij mijn na naar niet nog nu of om omdat onder ons ook op over te tot
toch uit van veel voor want was wat we wel werd wie wij worden zal ze zich zij zijn zo zonder zou
"""

STOP_WORDS: dict[str, frozenset[str]] = {
    "english": frozenset(_ENGLISH.split()),
    "german": frozenset(_GERMAN.split()),
    "french": frozenset(_FRENCH.split()),
    "spanish": frozenset(_SPANISH.split()),
    "italian": frozenset(_ITALIAN.split()),
    "portuguese": frozenset(_PORTUGUESE.split()),
    "dutch": frozenset(_DUTCH.split()),
}
"""Function words by language; also what `language_of` tells languages apart by."""
