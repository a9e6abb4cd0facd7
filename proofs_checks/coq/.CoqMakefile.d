Program.vo Program.glob Program.v.beautified Program.required_vo: Program.v 
Program.vio: Program.v 
Program.vos Program.vok Program.required_vos: Program.v 
Hoeffding.vo Hoeffding.glob Hoeffding.v.beautified Hoeffding.required_vo: Hoeffding.v Program.vo
Hoeffding.vio: Hoeffding.v Program.vio
Hoeffding.vos Hoeffding.vok Hoeffding.required_vos: Hoeffding.v Program.vos
Confidence.vo Confidence.glob Confidence.v.beautified Confidence.required_vo: Confidence.v Program.vo Hoeffding.vo
Confidence.vio: Confidence.v Program.vio Hoeffding.vio
Confidence.vos Confidence.vok Confidence.required_vos: Confidence.v Program.vos Hoeffding.vos
Basel.vo Basel.glob Basel.v.beautified Basel.required_vo: Basel.v Hoeffding.vo
Basel.vio: Basel.v Hoeffding.vio
Basel.vos Basel.vok Basel.required_vos: Basel.v Hoeffding.vos
DuelTest.vo DuelTest.glob DuelTest.v.beautified DuelTest.required_vo: DuelTest.v Program.vo Hoeffding.vo Confidence.vo
DuelTest.vio: DuelTest.v Program.vio Hoeffding.vio Confidence.vio
DuelTest.vos DuelTest.vok DuelTest.required_vos: DuelTest.v Program.vos Hoeffding.vos Confidence.vos
BKT.vo BKT.glob BKT.v.beautified BKT.required_vo: BKT.v Program.vo Hoeffding.vo Confidence.vo DuelTest.vo Basel.vo
BKT.vio: BKT.v Program.vio Hoeffding.vio Confidence.vio DuelTest.vio Basel.vio
BKT.vos BKT.vok BKT.required_vos: BKT.v Program.vos Hoeffding.vos Confidence.vos DuelTest.vos Basel.vos
Tree.vo Tree.glob Tree.v.beautified Tree.required_vo: Tree.v Program.vo
Tree.vio: Tree.v Program.vio
Tree.vos Tree.vok Tree.required_vos: Tree.v Program.vos
TreeAscent.vo TreeAscent.glob TreeAscent.v.beautified TreeAscent.required_vo: TreeAscent.v Program.vo Hoeffding.vo Confidence.vo DuelTest.vo Basel.vo BKT.vo Tree.vo
TreeAscent.vio: TreeAscent.v Program.vio Hoeffding.vio Confidence.vio DuelTest.vio Basel.vio BKT.vio Tree.vio
TreeAscent.vos TreeAscent.vok TreeAscent.required_vos: TreeAscent.v Program.vos Hoeffding.vos Confidence.vos DuelTest.vos Basel.vos BKT.vos Tree.vos
ScreenAndReplace.vo ScreenAndReplace.glob ScreenAndReplace.v.beautified ScreenAndReplace.required_vo: ScreenAndReplace.v Program.vo Hoeffding.vo Confidence.vo DuelTest.vo Basel.vo BKT.vo
ScreenAndReplace.vio: ScreenAndReplace.v Program.vio Hoeffding.vio Confidence.vio DuelTest.vio Basel.vio BKT.vio
ScreenAndReplace.vos ScreenAndReplace.vok ScreenAndReplace.required_vos: ScreenAndReplace.v Program.vos Hoeffding.vos Confidence.vos DuelTest.vos Basel.vos BKT.vos
BudgetedDuelTest.vo BudgetedDuelTest.glob BudgetedDuelTest.v.beautified BudgetedDuelTest.required_vo: BudgetedDuelTest.v Program.vo Hoeffding.vo Confidence.vo DuelTest.vo Basel.vo BKT.vo TreeAscent.vo ScreenAndReplace.vo Tree.vo
BudgetedDuelTest.vio: BudgetedDuelTest.v Program.vio Hoeffding.vio Confidence.vio DuelTest.vio Basel.vio BKT.vio TreeAscent.vio ScreenAndReplace.vio Tree.vio
BudgetedDuelTest.vos BudgetedDuelTest.vok BudgetedDuelTest.required_vos: BudgetedDuelTest.v Program.vos Hoeffding.vos Confidence.vos DuelTest.vos Basel.vos BKT.vos TreeAscent.vos ScreenAndReplace.vos Tree.vos
Limits.vo Limits.glob Limits.v.beautified Limits.required_vo: Limits.v Program.vo Hoeffding.vo Confidence.vo DuelTest.vo BKT.vo
Limits.vio: Limits.v Program.vio Hoeffding.vio Confidence.vio DuelTest.vio BKT.vio
Limits.vos Limits.vok Limits.required_vos: Limits.v Program.vos Hoeffding.vos Confidence.vos DuelTest.vos BKT.vos
BAI.vo BAI.glob BAI.v.beautified BAI.required_vo: BAI.v Program.vo Hoeffding.vo Confidence.vo DuelTest.vo BKT.vo TreeAscent.vo Limits.vo Tree.vo
BAI.vio: BAI.v Program.vio Hoeffding.vio Confidence.vio DuelTest.vio BKT.vio TreeAscent.vio Limits.vio Tree.vio
BAI.vos BAI.vok BAI.required_vos: BAI.v Program.vos Hoeffding.vos Confidence.vos DuelTest.vos BKT.vos TreeAscent.vos Limits.vos Tree.vos
Weak.vo Weak.glob Weak.v.beautified Weak.required_vo: Weak.v Program.vo Hoeffding.vo Confidence.vo DuelTest.vo BKT.vo TreeAscent.vo ScreenAndReplace.vo Limits.vo BAI.vo
Weak.vio: Weak.v Program.vio Hoeffding.vio Confidence.vio DuelTest.vio BKT.vio TreeAscent.vio ScreenAndReplace.vio Limits.vio BAI.vio
Weak.vos Weak.vok Weak.required_vos: Weak.v Program.vos Hoeffding.vos Confidence.vos DuelTest.vos BKT.vos TreeAscent.vos ScreenAndReplace.vos Limits.vos BAI.vos
Strong.vo Strong.glob Strong.v.beautified Strong.required_vo: Strong.v Program.vo Hoeffding.vo Confidence.vo DuelTest.vo BKT.vo TreeAscent.vo Limits.vo BAI.vo
Strong.vio: Strong.v Program.vio Hoeffding.vio Confidence.vio DuelTest.vio BKT.vio TreeAscent.vio Limits.vio BAI.vio
Strong.vos Strong.vok Strong.required_vos: Strong.v Program.vos Hoeffding.vos Confidence.vos DuelTest.vos BKT.vos TreeAscent.vos Limits.vos BAI.vos
KnownGap.vo KnownGap.glob KnownGap.v.beautified KnownGap.required_vo: KnownGap.v Program.vo Hoeffding.vo Confidence.vo DuelTest.vo BKT.vo TreeAscent.vo ScreenAndReplace.vo BudgetedDuelTest.vo Limits.vo BAI.vo Weak.vo Strong.vo
KnownGap.vio: KnownGap.v Program.vio Hoeffding.vio Confidence.vio DuelTest.vio BKT.vio TreeAscent.vio ScreenAndReplace.vio BudgetedDuelTest.vio Limits.vio BAI.vio Weak.vio Strong.vio
KnownGap.vos KnownGap.vok KnownGap.required_vos: KnownGap.v Program.vos Hoeffding.vos Confidence.vos DuelTest.vos BKT.vos TreeAscent.vos ScreenAndReplace.vos BudgetedDuelTest.vos Limits.vos BAI.vos Weak.vos Strong.vos
Trees.vo Trees.glob Trees.v.beautified Trees.required_vo: Trees.v Program.vo Hoeffding.vo Confidence.vo DuelTest.vo Basel.vo BKT.vo TreeAscent.vo ScreenAndReplace.vo Tree.vo
Trees.vio: Trees.v Program.vio Hoeffding.vio Confidence.vio DuelTest.vio Basel.vio BKT.vio TreeAscent.vio ScreenAndReplace.vio Tree.vio
Trees.vos Trees.vok Trees.required_vos: Trees.v Program.vos Hoeffding.vos Confidence.vos DuelTest.vos Basel.vos BKT.vos TreeAscent.vos ScreenAndReplace.vos Tree.vos
Examples.vo Examples.glob Examples.v.beautified Examples.required_vo: Examples.v Program.vo Hoeffding.vo Confidence.vo DuelTest.vo Basel.vo BKT.vo TreeAscent.vo ScreenAndReplace.vo BudgetedDuelTest.vo Trees.vo Tree.vo
Examples.vio: Examples.v Program.vio Hoeffding.vio Confidence.vio DuelTest.vio Basel.vio BKT.vio TreeAscent.vio ScreenAndReplace.vio BudgetedDuelTest.vio Trees.vio Tree.vio
Examples.vos Examples.vok Examples.required_vos: Examples.v Program.vos Hoeffding.vos Confidence.vos DuelTest.vos Basel.vos BKT.vos TreeAscent.vos ScreenAndReplace.vos BudgetedDuelTest.vos Trees.vos Tree.vos
ExamplesPolicies.vo ExamplesPolicies.glob ExamplesPolicies.v.beautified ExamplesPolicies.required_vo: ExamplesPolicies.v Program.vo Hoeffding.vo Confidence.vo DuelTest.vo BKT.vo BudgetedDuelTest.vo Limits.vo BAI.vo Weak.vo Strong.vo KnownGap.vo Examples.vo
ExamplesPolicies.vio: ExamplesPolicies.v Program.vio Hoeffding.vio Confidence.vio DuelTest.vio BKT.vio BudgetedDuelTest.vio Limits.vio BAI.vio Weak.vio Strong.vio KnownGap.vio Examples.vio
ExamplesPolicies.vos ExamplesPolicies.vok ExamplesPolicies.required_vos: ExamplesPolicies.v Program.vos Hoeffding.vos Confidence.vos DuelTest.vos BKT.vos BudgetedDuelTest.vos Limits.vos BAI.vos Weak.vos Strong.vos KnownGap.vos Examples.vos
