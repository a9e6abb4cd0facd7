(** The program's OCaml: what is extracted, and by which of OCaml's and Zarith's functions.

    Coq's own files map numbers to Zarith's, and most functions on them; the lines here map the rest. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt ExtrOcamlNatBigInt.
From Coq Require Import ZArith QArith.
From TGITE Require Import Logarithms Executed.

Extract Constant Z.leb => "Numbers.leb".
Extract Constant Z.ltb => "Numbers.ltb".
Extract Constant Z.log2 => "Numbers.log2".
Extract Constant Z.pow => "Numbers.pow".
Extract Constant Z.to_nat => "Numbers.nat_of".
Extract Constant Z.of_nat => "(fun n -> n)".
Extract Constant Z.ggcd => "Numbers.ggcd".
Extract Constant N.pow => "Numbers.pow".
Extract Constant N.of_nat => "(fun n -> n)".
Extract Constant N.to_nat => "(fun n -> n)".
Extract Constant Pos.of_succ_nat => "Numbers.succ".
Extract Constant Nat.pow => "Numbers.pow".
Extract Constant Nat.div => "Numbers.div".
Extract Constant Nat.leb => "Numbers.leb".
Extract Constant Nat.ltb => "Numbers.ltb".
Extract Constant Nat.odd => "Numbers.odd".
Extract Constant Nat.log2 => "Numbers.log2".

Extraction "tgite.ml" constants_at start.
