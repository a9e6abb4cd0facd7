(* The functions on numbers that Extract.v puts in the place of Coq's, beyond those of Coq's own files.
   Coq's nat, positive and Z are all Zarith's integers. *)

exception Too_large
let most = Z.of_int (1 lsl 24) (* exponent of a power *)

let log2 z = if Z.sign z <= 0 then Z.zero else Z.of_int (Z.numbits z - 1)
let pow base exponent = if Z.sign exponent < 0 then Z.zero
  else if Z.gt exponent most then raise Too_large else Z.pow base (Z.to_int exponent)
let nat_of z = Z.max z Z.zero
let div a b = if Z.sign b = 0 then Z.zero else Z.div a b (* of natural numbers *)

(* The greatest common divisor, and the numbers divided by it. *)
let ggcd a b =
  let d = Z.gcd a b in
  (d, if Z.sign d = 0 then (Z.zero, Z.zero) else (Z.divexact a d, Z.divexact b d))

let odd = Z.is_odd
let leb = Z.leq
let ltb = Z.lt
let succ = Z.succ
