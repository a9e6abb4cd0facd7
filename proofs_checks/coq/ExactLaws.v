(** * Exact laws, computed in the kernel

    A forward recursion computes the law of DuelTest: for each number of duels, the probability of each lead
    with which the test goes on, and of stopping.  Here it runs inside Coq, so that the enclosures that
    [tgite law] prints have a witness that shares no code with them.

    Everything is rounded down.  Upper bounds follow, because probabilities sum to 1 and the number of duels
    is at most the horizon.  Wald's identity bounds what happens beyond the horizon. *)
From Coq Require Import Reals Lra Psatz Lia ZArith QArith Qreals List Bool.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT TreeAscent.
From TGITE Require Import Trees Logarithms ExecutedTests.
Open Scope Z_scope.

(** A fifth, rounded down, in one pass over the bits: what the independent checker does quickly. *)
Inductive divided := R0 (q : Z) | R1 (q : Z) | R2 (q : Z) | R3 (q : Z) | R4 (q : Z).
Fixpoint by5 (p : positive) : divided := match p with
  | xH => R1 0
  | xO p => match by5 p with R0 q => R0 (Z.double q) | R1 q => R2 (Z.double q) | R2 q => R4 (Z.double q)
    | R3 q => R1 (Z.succ_double q) | R4 q => R3 (Z.succ_double q) end
  | xI p => match by5 p with R0 q => R1 (Z.double q) | R1 q => R3 (Z.double q) | R2 q => R0 (Z.succ_double q)
    | R3 q => R2 (Z.succ_double q) | R4 q => R4 (Z.succ_double q) end
  end.
Definition fifth (x : Z) : Z :=
  match x with Zpos p => match by5 p with R0 q | R1 q | R2 q | R3 q | R4 q => q end | _ => x end.

Section Run.
Variables (w : Z) (l : exact) (c : constants) (e : enclosure).

(** One more duel, which the first arm wins with probability w/5.  [m] are the probabilities of [lead + 1],
    [lead + 3], ... before it and [prev] that of [lead - 1]; the result are those of [lead], [lead + 2], ... *)
Fixpoint spread (prev : Z) (m : list Z) : list Z :=
  match m with [] => [fifth (w * prev)] | x :: m => fifth (w * prev + (5 - w) * x) :: spread x m end.

(** What goes on, where leads up to [T] do, and what stops for the first and for the second arm. *)
Definition put (x : Z) (m : list Z) : list Z := match m with [] => if x =? 0 then [] else [x] | _ => x :: m end.
Fixpoint settle (T lead : Z) (m : list Z) : list Z * Z * Z :=
  match m with
  | [] => ([], 0, 0)
  | x :: m => let '(m, one, two) := settle T (lead + 2) m in
    if Z.abs lead <=? T then (put x m, one, two)
    else if 0 <=? lead then (put 0 m, one + x, two) else (put 0 m, one, two + x)
  end.

(** The largest lead, from [T] on, with which the test goes on after [n] duels. *)
Fixpoint widest (fuel : nat) (n T : Z) : option Z :=
  match fuel with
  | O => None
  | S f => match judge dueltest_kind l c e n (T + 1) with
           | Stop => Some T | Go _ => widest f n (T + 1) | Open => None end
  end.

(** After [n] duels [m] are the probabilities of the leads from [lead] on.  [one] and [two] are those of having
    returned the first and the second arm, and [sum] that of n Pr(tau = n); the last result is the probability of
    not having stopped.  All numbers are read at each step, because what the independent checker has not computed
    yet keeps all that it is made of in memory. *)
Fixpoint run (fuel : nat) (n T lead : Z) (m : list Z) (one two sum : Z) : option (Z * Z * Z * Z) :=
  match fuel with
  | O => Some (one, two, sum, fold_right Z.add 0 m)
  | S f =>
    let n := n + 1 in
    match widest 9 n T with
    | None => None
    | Some T =>
      let '(m, y, x) := settle T (lead - 1) (spread 0 m) in
      let one := one + y in let two := two + x in let sum := sum + n * (y + x) in
      if forallb (fun x => x =? x) (one :: two :: sum :: m) then
        match m with
        | 0 :: m => run f n T (lead + 1) m one two sum
        | _ => run f n T (lead - 1) m one two sum
        end
      else None
    end
  end.
End Run.

(** Enclosures of E[tau] and of the probabilities that the first and the second arm is returned. *)
Record law := { duels_law : enclosure; first_law : enclosure; second_law : enclosure }.

(** Levels from 1/1024 on. *)
Definition usable (w : Z) (l : exact) : bool :=
  ((w =? 1) || (w =? 3) || (w =? 4)) && (basel l <=? 1)%nat
  && (Zpos (Qden (rational l)) <=? 384 * Qnum (rational l)) && (Qnum (rational l) <? Zpos (Qden (rational l))).

(** DuelTest's law at level [l], from a horizon of [F] duels on, in fractions of [unit]. *)
Definition law_at (unit : Z) (w : Z) (l : exact) (F : nat) : option law :=
  let c := constants_at (2 ^ 20) in
  match (if usable w l then run w l c (log_inverse c l) F 0 0 0 [unit] 0 0 0 else None) with
  | None => None
  | Some (one, two, sum, alive) => Some {|
      duels_law := {| low := sum + Z.of_nat F * alive; high := sum + (Z.of_nat F * 4 + 2400) * (unit - one - two) |};
      first_law := {| low := one; high := unit - two |};
      second_law := {| low := two; high := unit - one |} |}
  end.

(** ** A pass of TreeAscent, match by match *)

Section Pass.
(** In these units: [alpha] times the number of duels, plus one if [ev] occurs. *)
Variables (unit alpha : Z) (ev : option arm -> bool).
(** The laws of matches, by level and by the fifths of the first arm's chance, which are those of [fifths]. *)
Variables (laws : list (exact * Z * option law)) (fifths : arm -> arm -> Z).

Definition same (l : exact) (w : Z) (found : exact * Z * option law) : bool :=
  let '(l', w', _) := found in
  (Qnum (rational l) =? Qnum (rational l')) && (Qden (rational l) =? Qden (rational l'))%positive
  && (basel l =? basel l')%nat && (w =? w').
Fixpoint pass (m : program asked (option arm)) : option enclosure :=
  match m with
  | Ret o => let x := if ev o then unit else 0 in Some {| low := x; high := x |}
  | Ask (Match l) u v k =>
    match find (same l (fifths u v)) laws, pass (k true), pass (k false) with
    | Some (_, _, Some r), Some a, Some b =>
      let sum f e := f (first_law r) * e a + f (second_law r) * e b in
      if (u =? v)%nat then None else Some {|
        low := alpha * low (duels_law r) + sum (fun e => Z.max 0 (low e)) low / unit;
        high := alpha * high (duels_law r) + up_div (sum high high) unit |}
    | _, _, _ => None
    end
  | Ask (Block _) _ _ _ => None
  end.
End Pass.

(** ** DuelTest at gap and level 1/10 *)

Open Scope R_scope.

(** E[tau], and the probability of the wrong answer, at every horizon from 4,800 on, and so in the limit. *)
Definition duels_low : R := 784176 / 1000.
Definition duels_high : R := 784177 / 1000.
Definition error_low : R := 106603 / 1000000000000.
Definition error_high : R := 106604 / 1000000000000.
Definition dueltest_law_statement : Prop := forall P u v F,
  (forall u v, 0 <= P u v <= 1) -> u <> v -> P u v = 1/2 + 1/10 -> 4800 <= INR F ->
  duels_low <= ET P (DT paper_rule F (1/10) u v) <= duels_high /\
  error_low <= Pr P (DT paper_rule F (1/10) u v) (is_arm v) <= error_high.

(** ** TreeAscent at level 1/10 on eight arms, from arm 0

    The cyclic instance of the paper's experiments: arm 4 wins, and the others are the labels 0 to 6 of a
    cycle, each of which beats the next three.  All gaps are 3/10. *)
Definition label (u : arm) : nat := if Nat.ltb u 4 then u else Nat.pred u.
Definition fifths (u v : arm) : Z :=
  let ahead := Nat.modulo (label v + 7 - label u) 7 in
  if Nat.eqb u 4 || negb (Nat.eqb v 4) && Nat.ltb 0 ahead && Nat.leb ahead 3 then 4 else 1.
Definition cyclic8 (P : arm -> arm -> R) : Prop :=
  forall u v, P u v = if Nat.eqb u v then 1/2 else IZR (fifths u v) / 5.

Definition pass_low : R := 522274 / 1000.
Definition pass_high : R := 522275 / 1000.
Definition pass_error_low : R := 530831 / 1000000000000000000000.
Definition pass_error_high : R := 530832 / 1000000000000000000000.
Definition pass_law_statement : Prop := forall P F, cyclic8 P -> 640 <= INR F ->
  let m := TreeAscent (cv := standard) (DT paper_rule F) 8 3 0%nat (1/10) in
  pass_low <= ET P m <= pass_high /\ pass_error_low <= Pr P m (wrong 4%nat) <= pass_error_high.

(** * Proofs *)

Lemma fifth_below x : (5 * fifth x <= x)%Z.
Proof.
  destruct x as [|p|p]; [easy| |cbn [fifth]; lia]. cbn [fifth].
  assert (match by5 p with R0 q => 5 * q = Zpos p | R1 q => 5 * q + 1 = Zpos p | R2 q => 5 * q + 2 = Zpos p
    | R3 q => 5 * q + 3 = Zpos p | R4 q => 5 * q + 4 = Zpos p end)%Z; [|destruct (by5 p); lia].
  induction p as [p IH|p IH|]; cbn [by5]; try destruct (by5 p);
    rewrite ?Z.double_spec, ?Z.succ_double_spec; lia.
Qed.

(** The expectation of [V] under the numbers of [m], whose first belongs to [s] wins. *)
Fixpoint under (V : nat -> R) (s : nat) (m : list Z) : R :=
  match m with [] => 0 | x :: m => IZR x * V s + under V (S s) m end.

Lemma under_put V s x m : under V s (put x m) = IZR x * V s + under V (S s) m.
Proof. destruct m; cbn [put]; [|easy]. destruct (Z.eqb_spec x 0) as [->|]; cbn [under]; lra. Qed.

Lemma settle_right n T (V W : nat -> R) a b : (forall s, V s = if (Z.abs (lead_of n s) <=? T)%Z then W s
    else if (0 <=? lead_of n s)%Z then a else b) ->
  forall m s m' y x, settle T (lead_of n s) m = (m', y, x) -> under V s m = under W s m' + a * IZR y + b * IZR x.
Proof.
  intro H. induction m as [|z m IH]; intros s m' y x; cbn [settle under].
  - intro E0. injection E0 as <- <- <-. cbn [under]. ring.
  - replace (lead_of n s + 2)%Z with (lead_of n (S s)) by (unfold lead_of; lia).
    destruct (settle _ _ m) as [[m1 y1] x1] eqn:E1. rewrite (IH (S s) m1 y1 x1 E1), H.
    destruct (_ <=? T)%Z, (0 <=? lead_of n s)%Z; intro E0; injection E0 as <- <- <-;
      rewrite under_put, ?plus_IZR; ring.
Qed.

Section Right.
Variable w : Z.
Hypothesis Hw : w = 1%Z \/ w = 3%Z \/ w = 4%Z.
Let chance := IZR w / 5.

Variable l : exact.
Hypothesis Hl : level_ok l.
Variables (c : constants) (e : enclosure).
Hypothesis Hc : made c.
Hypothesis He : encloses (scale c) e (ln (/ value l)).
Let B := bound_at dueltest_kind (value l).
Let stop := paper_rule (value l).

(** [later] is what it is worth to have a lead, and [now] the same before the duel. *)
Lemma spread_below (now later : nat -> R) : (forall s, 0 <= later s) ->
  (forall s, now s = chance * later (S s) + (1 - chance) * later s) ->
  forall m x s, under later s (spread w x m) <= chance * IZR x * later s + under now s m.
Proof.
  intros H0 HN. assert (K : forall x y s, IZR (fifth (w * x + (5 - w) * y)) * later s <=
    (chance * IZR x + (1 - chance) * IZR y) * later s).
  { intros x y s. apply Rmult_le_compat_r; [auto|]. pose proof (fifth_below (w * x + (5 - w) * y)) as D.
    apply IZR_le in D. rewrite plus_IZR, !mult_IZR, minus_IZR in D. unfold chance. lra. }
  induction m as [|y m IH]; intros x s; cbn [spread under].
  - pose proof (K x 0%Z s) as K0. rewrite Z.mul_0_r, Z.add_0_r in K0. lra.
  - pose proof (K x y s). specialize (IH y (S s)). rewrite HN. lra.
Qed.

Lemma widest_right f n : (0 < n)%nat -> forall T T', (0 <= T)%Z -> IZR (T * T) <= B n ->
  widest l c e f (Z.of_nat n) T = Some T' -> (T <= T')%Z /\ IZR (T' * T') <= B n < IZR ((T' + 1) * (T' + 1)).
Proof.
  intro Hn. induction f as [|f IH]; intros T T' HT HB; cbn [widest]; [discriminate|].
  pose proof (judge_right dueltest_kind l n Hl Hn (g_count _ dueltest_growing (Z.of_nat n) ltac:(lia)) (T + 1) c e Hc
    He) as J.
  destruct (judge _ _ _ _ _ _); cbn [right] in J; [| |discriminate].
  - intro E0. injection E0 as <-. split; [lia|auto].
  - intro E0. apply IH in E0; [|lia|apply J]. split; [lia|apply E0].
Qed.

Variables (P : arm -> arm -> R) (u v : arm).
Hypothesis Hp : P u v = chance.
Variables (phi : option arm -> R) (alpha : R) (F : nat).
Let gain (n : nat) (o : option bool) : R := alpha * INR n + phi (pick u v o).
Hypothesis gain_nonneg : forall n o, (n <= F)%nat -> 0 <= gain n o.

(** The expected gain after [n] duels of which [s] are won, when the test goes on. *)
Definition worth (f n s : nat) : R :=
  let m := seqtest stop never f n s u v in expect P m phi + alpha * (INR n + ET P m).
Definition later (f n s : nat) : R := match stop n s with Some a => gain n (Some a) | None => worth f n s end.

Lemma worth_step f n s : worth (S f) n s = chance * later f (S n) (S s) + (1 - chance) * later f (S n) s.
Proof.
  unfold worth, later, gain. cbn [seqtest expect ET b2n Nat.add]. rewrite <- Hp.
  destruct (stop (S n) (S s)), (stop (S n) s); cbn [expect ET]; unfold worth; rewrite S_INR; ring.
Qed.

Lemma later_nonneg f : forall n s, (n + f <= F)%nat -> 0 <= later f n s.
Proof.
  induction f as [|f IH]; intros n s Hn; unfold later; (destruct (stop n s); [apply gain_nonneg; lia|]).
  - pose proof (gain_nonneg n None ltac:(lia)). unfold worth, gain, never in *. cbn [seqtest expect ET]. lra.
  - rewrite worth_step. assert (0 <= chance <= 1) by (unfold chance; destruct Hw as [->|[-> | ->]]; lra).
    apply conv_ge; auto; apply IH; lia.
Qed.

Lemma run_below f : forall n T s m one two sum one' two' sum' alive, (n + f = F)%nat -> (0 <= T)%Z ->
  (forall k, (n < k)%nat -> IZR (T * T) <= B k) ->
  run w l c e f (Z.of_nat n) T (lead_of n s) m one two sum = Some (one', two', sum', alive) ->
  alpha * IZR (sum' - sum) + phi (Some u) * IZR (one' - one) + phi (Some v) * IZR (two' - two) + gain F None * IZR alive
  <= under (worth f n) s m.
Proof.
  induction f as [|f IH]; intros n T s m one two sum one' two' sum' alive Hn HT HB; cbn [run].
  { intro E0. injection E0 as <- <- <- <-. rewrite !Z.sub_diag, !Rmult_0_r, !Rplus_0_l.
    assert (n = F) as -> by lia. clear. right. revert s. induction m as [|x m IH]; intro s; cbn [fold_right under];
      [ring|].
    rewrite plus_IZR, <- (IH (S s)). unfold worth, gain, never. cbn [seqtest expect ET]. ring. }
  replace (Z.of_nat n + 1)%Z with (Z.of_nat (S n)) by lia. destruct (widest _ _ _ _ _ _) as [T'|] eqn:W;
    [|discriminate].
  apply widest_right in W as (HT' & B1 & B2); [|lia|exact HT|apply HB; lia].
  assert (Later : forall s, later f (S n) s = if (Z.abs (lead_of (S n) s) <=? T')%Z then worth f (S n) s
    else if (0 <=? lead_of (S n) s)%Z then gain (S n) (Some true) else gain (S n) (Some false)).
  { intro s'. destruct (paper_rule_follows (value l) (level_pos l Hl) (S n) s' ltac:(lia)) as [F1 F2].
    cbn [gap_num gap_den dueltest_kind] in F1, F2. rewrite Z.mul_0_r, Z.mul_0_l, Z.mul_1_l, Z.add_0_r in F1, F2.
    unfold later, stop. destruct (Z.leb_spec (Z.abs (lead_of (S n) s')) T') as [A|A].
    - rewrite F2; [reflexivity|]. eapply Rle_trans; [|exact B1]. apply IZR_le, Z.mul_le_mono_nonneg; lia.
    - rewrite F1; [now destruct (0 <=? _)%Z|].
      eapply Rlt_le_trans; [exact B2|]. apply IZR_le, Z.mul_le_mono_nonneg; lia. }
  pose proof (spread_below (worth (S f) n) (later f (S n)) (fun s' => later_nonneg f (S n) s' ltac:(lia))
    (worth_step f n) m 0%Z s) as Sp.
  replace (lead_of n s - 1)%Z with (lead_of (S n) s) by (unfold lead_of; lia).
  replace (lead_of n s + 1)%Z with (lead_of (S n) (S s)) by (unfold lead_of; lia).
  destruct (settle _ _ _) as [[m1 y] x] eqn:Se. apply (settle_right (S n) T' _ _ _ _ Later) in Se.
  destruct (forallb _ _); [|discriminate]. set (sum1 := (sum + Z.of_nat (S n) * (y + x))%Z).
  intro R. assert (exists s2 m2, under (worth f (S n)) s2 m2 = under (worth f (S n)) s m1 /\
    run w l c e f (Z.of_nat (S n)) T' (lead_of (S n) s2) m2 (one + y) (two + x) sum1
    = Some (one', two', sum', alive)) as (s2 & m2 & Same & R2).
  { destruct m1 as [|[] m1]; eauto. exists (S s), m1. split; [cbn [under]; ring|exact R]. }
  apply IH in R2; [|lia|lia|].
  - unfold sum1, gain in *. cbn [pick] in *. rewrite !minus_IZR, ?plus_IZR, ?mult_IZR, ?plus_IZR, <- INR_IZR_INZ in *.
    lra.
  - intros k Hk. eapply Rle_trans; [exact B1|]. apply bound_mono; [apply dueltest_growing|now apply level_pos|lia].
Qed.
End Right.

(** What the recursion computes is at most the expectation of any linear gain that is not negative. *)
Lemma run_worth unit w l F P u v phi alpha one two sum alive : let c := constants_at (2 ^ 20) in
  run w l c (log_inverse c l) F 0 0 0 [unit] 0 0 0 = Some (one, two, sum, alive) ->
  w = 1%Z \/ w = 3%Z \/ w = 4%Z -> level_ok l -> P u v = IZR w / 5 ->
  (forall n o, (n <= F)%nat -> 0 <= alpha * INR n + phi (pick u v o)) -> let m := DT paper_rule F (value l) u v in
  alpha * IZR sum + phi (Some u) * IZR one + phi (Some v) * IZR two + (alpha * INR F + phi None) * IZR alive
  <= IZR unit * (expect P m phi + alpha * ET P m).
Proof.
  intros c R Hw Hl Hp G. pose proof (made_at (2 ^ 20) ltac:(lia)) as M. fold c in M.
  apply (run_below w Hw l Hl c _ M (log_inverse_encloses c l M (proj1 Hl)) P u v Hp phi alpha F G F 0 0 0) in R;
    auto; try easy.
  - rewrite !Z.sub_0_r in R. unfold under, worth in R. simpl (INR 0) in R. cbn [pick] in R. unfold DT. lra.
  - intros n Hn. apply (bound_mono _ _ n n); auto using dueltest_growing, level_pos.
Qed.

(** ** Beyond the horizon *)

Section Beyond.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variables (d : R) (u v : arm).
Hypothesis Hd : / 1024 <= d < 1.
Hypothesis Hg : 1/10 <= Rabs (P u v - 1/2).
Let stop := paper_rule d.
Let ok (n s : nat) : Prop := Rabs (2 * INR s - INR n) + 1 <= 9/80 * INR n + 102.

Lemma stop_ok n s : (0 < n)%nat -> stop n s = None -> ok n s.
Proof.
  intros Hn E0. unfold ok. pose proof (boundary_line d (1/10) n ltac:(lra) ltac:(lra) Hn) as L.
  pose proof (proj2 paper_rule_admissible d n s ltac:(lra) Hn E0) as A. pose proof (INR_pos n Hn).
  replace (2 * INR s - INR n) with (2 * INR n * (INR s / INR n - 1/2)) by (field; lra).
  rewrite Rabs_mult, (Rabs_right (2 * INR n)) by lra.
  assert (2 * INR n * Rabs (INR s / INR n - 1 / 2) <= 2 * INR n * c_late n d) by (apply Rmult_le_compat_l; lra).
  assert (offset d (1/10) <= 102); [|lra].
  unfold offset, slack, horizon_of. replace (8 / (1 / 10 * (1 / 10))) with 800 by field. pose proof ln2_le.
  assert (ln 800 <= 10 * ln 2) by (replace (10 * ln 2) with (ln (2 ^ 10)) by (rewrite ln_pow; simpl; lra);
    apply ln_le; lra).
  assert (/ d <= 1024) by (rewrite <- (Rinv_inv 1024); apply Rinv_le_contravar; lra).
  assert (0 < / d) by (apply Rinv_0_lt_compat; lra).
  assert (ln (2 / d) <= 11 * ln 2) by (replace (11 * ln 2) with (ln (2 ^ 11)) by (rewrite ln_pow; simpl; lra);
    apply ln_le; lra).
  lra.
Qed.

Lemma rest f n s : ok n s -> ET P (seqtest stop never f n s u v) <= 3 * INR n + 2400.
Proof.
  intro K. assert (Side : forall x : nat -> nat -> R, (forall n s, Rabs (x n s) = Rabs (2 * INR s - INR n)) ->
    (forall n s, x (S n) (S s) <= x n s + 1 /\ x (S n) s <= x n s + 1) ->
    (forall n s, x n s + 2 * (1/10) <= P u v * x (S n) (S s) + (1 - P u v) * x (S n) s) ->
    ET P (seqtest stop never f n s u v) <= 3 * INR n + 2400).
  { intros x X H1 H2. assert (Y : forall n s, ok n s -> 1 - 9/80 * INR n - 102 <= x n s <= 9/80 * INR n + 101).
    { clear - X. intros n s K. unfold ok in K. rewrite <- X in K. revert K. unfold Rabs. destruct (Rcase_abs _); lra. }
    pose proof (Y n s K). pose proof (pos_INR n).
    assert ((2 * (1/10) - 9/80) * ET P (seqtest stop never f n s u v) <= 9/80 * INR n + 102 - x n s); [|lra].
    apply (wald P P01 stop never u v (9/80) 102 (1/10) ltac:(lra) x); auto; [|lra].
    intros n' s' Hn E0. pose proof (Y n' s' (stop_ok n' s' Hn E0)). lra. }
  revert Hg. unfold Rabs at 1. destruct (Rcase_abs (P u v - 1/2)); intro Hg'.
  - apply (Side (fun n s => INR n - 2 * INR s)); intros; rewrite ?S_INR; try lra. apply Rabs_minus_sym.
  - apply (Side (fun n s => 2 * INR s - INR n)); intros; rewrite ?S_INR; try lra; reflexivity.
Qed.

Lemma longer f' : forall f n s, ok n s -> ET P (seqtest stop never (f + f') n s u v) <=
  ET P (seqtest stop never f n s u v) + (3 * INR (f + n) + 2400) * Pr P (seqtest stop never f n s u v) ran_out.
Proof.
  unfold Pr. induction f as [|f IH]; intros n s K.
  - cbn [Nat.add seqtest ET expect never pick ran_out]. pose proof (rest f' n s K). lra.
  - cbn [Nat.add seqtest ET expect]. replace (S (f + n)) with (f + S n)%nat by lia.
    assert (G : forall s', let m f := match stop (S n) s' with Some a => Ret (pick u v (Some a)) | None => seqtest
      stop never f (S n) s' u v end in
      ET P (m (f + f')%nat) <= ET P (m f) + (3 * INR (f + S n) + 2400) * expect P (m f) (fun o => if ran_out o then 1
        else 0)).
    { intro s'. cbv zeta. destruct (stop (S n) s') as [[|]|] eqn:Es; [cbn; lra|cbn; lra|].
      apply IH, stop_ok; [lia|exact Es]. }
    cbv zeta in G. pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (G (b2n true + s)%nat) (G (b2n false + s)%nat)). lra.
Qed.
End Beyond.

Lemma seqtest_refines_more stop u v k f : forall n s, refines (seqtest stop never f n s u v) (seqtest stop never (f +
  k) n s u v).
Proof.
  induction f as [|f IH]; intros n s; [constructor|]. cbn [Nat.add seqtest]. constructor. intro b.
  destruct (stop _ _); [apply refines_refl|apply IH].
Qed.

Lemma usable_right w l : usable w l = true -> (w = 1%Z \/ w = 3%Z \/ w = 4%Z) /\ level_ok l /\ / 1024 <= value l.
Proof.
  unfold usable, level_ok, value, Q2R. set (n := Qnum _). set (d := Zpos (Qden _)). intro K.
  apply andb_true_iff in K as [[[K1 K4%Nat.leb_le]%andb_true_iff K5%Z.leb_le]%andb_true_iff K6%Z.ltb_lt].
  assert (0 < d)%Z as D by (unfold d; lia). assert (0 < n)%Z as N by lia.
  apply IZR_le in K5. rewrite mult_IZR in K5. apply IZR_lt in K6, D.
  assert (V : / 384 <= IZR n * / IZR d < 1).
  { split; apply Rmult_le_reg_r with (IZR d) || apply Rmult_lt_reg_r with (IZR d); try lra;
    rewrite Rmult_assoc, Rinv_l; lra. }
  assert (K : 3/8 <= (6 / (PI * PI)) ^ basel l <= 1).
  { pose proof PI2_3_2. pose proof PI_4. destruct (basel l) as [|[|b]]; [simpl; lra| |lia]. rewrite pow_1.
    split; apply Rmult_le_reg_r with (PI * PI); try nra; unfold Rdiv at 2 || unfold Rdiv;
      rewrite ?Rmult_assoc, ?Rinv_l; nra. }
  repeat split; auto; [lia| |]; nra.
Qed.

(** The law is right at every horizon from [F] on. *)
Lemma law_encloses unit w l F r P u v F' : law_at unit w l F = Some r -> (0 < unit)%Z ->
  (forall u v, 0 <= P u v <= 1) -> u <> v ->
  P u v = IZR w / 5 ->
  (F <= F')%nat -> let m := DT paper_rule F' (value l) u v in encloses unit (duels_law r) (ET P m) /\
  encloses unit (first_law r) (Pr P m (is_arm u)) /\ encloses unit (second_law r) (Pr P m (is_arm v)).
Proof.
  intros R Hunit P01 Huv Hp HF. cbv zeta. unfold law_at in R. cbv zeta in R.
  destruct (usable w l) eqn:Us; [|discriminate]. apply usable_right in Us as (Hw & Hl & Hd).
  destruct (run _ _ _ _ _ _ _ _ _ _ _ _) as [[[[one two] sum] alive]|] eqn:Run; [|discriminate]. injection R as <-.
  unfold encloses. cbn [duels_law first_law second_law low high].
  pose proof (fun phi alpha => run_worth unit w l F P u v phi alpha one two sum alive Run Hw Hl Hp) as L. cbv zeta in L.
  set (m := DT paper_rule F (value l) u v) in *. set (m' := DT paper_rule F' (value l) u v).
  apply IZR_lt in Hunit. set (U := IZR unit) in *.
  pose proof (pos_INR F).
  assert (Vu : (v =? u)%nat = false) by (apply Nat.eqb_neq; congruence).
  assert (Uv : (u =? v)%nat = false) by (apply Nat.eqb_neq; congruence).
  pose proof (L (fun _ => 0) 1 ltac:(intros; pose proof (pos_INR n); lra)) as L1. rewrite E_const in L1.
  pose proof (L (fun _ => INR F) (-1) ltac:(intros n o Hn; apply le_INR in Hn; lra)) as L2. rewrite E_const in L2.
  pose proof (L (fun o => if is_arm u o then 1 else 0) 0 ltac:(intros n o _; cbv beta;
    destruct (is_arm u (pick u v o)); lra)) as Lu.
  pose proof (L (fun o => if is_arm v o then 1 else 0) 0 ltac:(intros n o _; cbv beta;
    destruct (is_arm v (pick u v o)); lra)) as Lv.
  pose proof (L (fun o => 1 + -1 * (if ran_out o then 1 else 0)) 0 ltac:(intros n o _; cbv beta;
    destruct (ran_out (pick u v o)); lra)) as Lr.
  rewrite E_plus, E_const, E_scal in Lr. cbn [is_arm ran_out] in *. rewrite !Nat.eqb_refl, Vu, Uv in *.
  fold (Pr P m (is_arm u)) (Pr P m (is_arm v)) (Pr P m (@ran_out arm)) in Lu, Lv, Lr.
  assert (M : refines m m') by (unfold m, m', DT; replace F' with (F + (F' - F))%nat by lia;
    apply seqtest_refines_more).
  assert (T : ET P m' <= ET P m + (3 * INR F + 2400) * Pr P m ran_out).
  { unfold m, m', DT. replace F' with (F + (F' - F))%nat by lia.
    replace (INR F) with (INR (F + 0)) by (f_equal; lia). apply longer; auto.
    - destruct (level_pos l Hl). lra.
    - rewrite Hp. destruct Hw as [->|[-> | ->]]; unfold Rabs; destruct (Rcase_abs _); lra.
    - simpl. rewrite Rmult_0_r, Rminus_0_r, Rabs_R0. lra. }
  assert (One : Pr P m' (is_arm u) + Pr P m' (is_arm v) <= 1).
  { unfold Pr. rewrite <- E_plus. apply Rle_trans with (expect P m' (fun _ => 1)); [|rewrite E_const;
    apply Rle_refl]. apply E_mono; auto.
    intros [x|]; cbn [is_arm]; [|lra]. destruct (Nat.eqb_spec x u), (Nat.eqb_spec x v); solve [lra|congruence]. }
  pose proof (fun x y (H : x <= y) => Rmult_le_compat_l U x y ltac:(lra) H) as Times.
  pose proof (Times _ _ (refines_ET P P01 m m' M)). pose proof (Times _ _ T). pose proof (Times _ _ One).
  pose proof (Times _ _ (refines_Pr P P01 m m' (is_arm u) eq_refl M)).
  pose proof (Times _ _ (refines_Pr P P01 m m' (is_arm v) eq_refl M)).
  assert ((3 * INR F + 2400) * (U * Pr P m ran_out) <= (3 * INR F + 2400) * (U - IZR one - IZR two))
    by (apply Rmult_le_compat_l; lra).
  repeat rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR. rewrite <- INR_IZR_INZ. fold U. repeat split; lra.
Qed.

Lemma horizon z F : IZR z <= INR F -> (Z.to_nat z <= F)%nat.
Proof. rewrite INR_IZR_INZ. intro H. apply le_IZR in H. lia. Qed.

Lemma between U e x a b n : encloses U e x -> (0 < U)%Z -> (0 < n)%Z -> (a * U <= low e * n)%Z ->
  (high e * n <= b * U)%Z ->
  IZR a / IZR n <= x <= IZR b / IZR n.
Proof.
  intros [A B] HU Hn Ha Hb. apply IZR_lt in HU, Hn. apply IZR_le in Ha, Hb. rewrite !mult_IZR in *.
  split; apply Rmult_le_reg_r with (IZR n * IZR U); try nra.
  - replace (IZR a / IZR n * (IZR n * IZR U)) with (IZR a * IZR U) by (field; lra). nra.
  - replace (IZR b / IZR n * (IZR n * IZR U)) with (IZR b * IZR U) by (field; lra). nra.
Qed.

(** ** What the kernel computes *)

Definition tenth : exact := level 1 10.
Lemma value_tenth : value tenth = 1/10.
Proof. unfold value, tenth, level, Q2R. cbn. field. Qed.

(** Written out, because the independent checker is slow where it compares with a name. *)
Lemma law_tenth_at : law_at (10 ^ 19) 3 tenth (Z.to_nat 4800) =
  ltac:(let found := eval vm_compute in (law_at (10 ^ 19) 3 tenth (Z.to_nat 4800)) in exact found).
Proof. match goal with |- _ = ?found => vm_cast_no_check (eq_refl found) end. Qed.

Theorem dueltest_law : dueltest_law_statement.
Proof.
  intros P u v F P01 Huv Hp HF. apply horizon in HF. rewrite <- value_tenth.
  destruct (law_encloses _ _ _ _ _ P u v F law_tenth_at eq_refl P01 Huv ltac:(lra) HF) as (A & _ & B).
  split; [eapply between; [exact A| | | |]|eapply between; [exact B| | | |]]; vm_compute; congruence.
Qed.

(** ** Of the pass *)

Lemma expect_two P (m : prog (option arm)) g u v : u <> v -> leaves (one_of u v) m -> g None = 0 ->
  expect P m g = Pr P m (is_arm u) * g (Some u) + Pr P m (is_arm v) * g (Some v).
Proof.
  intros Huv L G. unfold Pr. induction m as [o|t x y k IH]; cbn [expect leaves] in *.
  - assert ((u =? v)%nat = false /\ (v =? u)%nat = false) as [Uv Vu] by (split; apply Nat.eqb_neq; congruence).
    destruct o as [z|]; cbn [is_arm]; [destruct L as [-> | ->]|]; rewrite ?Nat.eqb_refl, ?Uv, ?Vu, ?G; ring.
  - destruct L as [L1 L2]. rewrite !IH by auto. ring.
Qed.

Lemma product unit f x fe e : (0 < unit)%Z -> 0 <= f -> 0 <= x -> encloses unit fe f -> encloses unit e x ->
  IZR (Z.max 0 (low fe) * low e) <= f * x * (IZR unit * IZR unit) <= IZR (high fe * high e).
Proof.
  intros HU F X [F1 F2] [X1 X2]. apply IZR_lt in HU. rewrite !mult_IZR. assert (0 <= IZR unit * f) by nra.
  assert (0 <= IZR unit * x) by nra. replace (f * x * (IZR unit * IZR unit)) with ((IZR unit * f) * (IZR unit * x))
    by ring. split.
  - apply Rle_trans with (IZR (Z.max 0 (low fe)) * (IZR unit * x));
    [apply Rmult_le_compat_l|apply Rmult_le_compat_r]; auto.
    + apply (IZR_le 0). lia.
    + destruct (Z.max_spec 0 (low fe)) as [[_ ->]|[_ ->]]; auto.
  - apply Rmult_le_compat; auto; lra.
Qed.

Section PassRight.
Variables (P : arm -> arm -> R) (F F' : nat) (unit alpha : Z) (ev : option arm -> bool).
Variables (laws : list (exact * Z * option law)) (fifths : arm -> arm -> Z).
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Hypothesis HF : (F <= F')%nat.
Hypothesis Halpha : (0 <= alpha)%Z.
Hypothesis Hev : ev None = false.
Hypothesis Hp : forall u v, u <> v -> P u v = IZR (fifths u v) / 5.
Hypothesis Hlaws : map (fun x => law_at unit (snd (fst x)) (fst (fst x)) F) laws = map snd laws.
Let test (l : exact) := DT paper_rule F' (value l).
Hypothesis Hunit : (0 < unit)%Z.
Let worth (m : prog (option arm)) : R := Pr P m ev + IZR alpha * ET P m.

Lemma worth_pos m : 0 <= worth m.
Proof. apply IZR_le in Halpha. pose proof (Pr_nonneg P P01 m ev). pose proof (ET_nonneg P P01 m). unfold worth. nra.
Qed.

Lemma law_found l u v l' w r : u <> v -> find (same l (fifths u v)) laws = Some (l', w, Some r) ->
  encloses unit (duels_law r) (ET P (test l u v)) /\
  encloses unit (first_law r) (Pr P (test l u v) (is_arm u)) /\ encloses unit (second_law r) (Pr P (test l u
    v) (is_arm v)).
Proof.
  intros Huv Found. apply find_some in Found as [I S]. pose proof (proj1 (map_ext_in_iff) Hlaws _ I) as R.
  cbn [fst snd] in R. clear I.
  apply andb_true_iff in S as [[[S1%Z.eqb_eq S2%Pos.eqb_eq]%andb_true_iff S3%Nat.eqb_eq]%andb_true_iff S4%Z.eqb_eq].
  assert (l = l') as -> by (clear - S1 S2 S3; destruct l as [[]], l' as [[]]; cbn in *; congruence).
  apply (law_encloses unit w l' F r P u v F' R Hunit P01 Huv); [rewrite <- S4; auto|exact HF].
Qed.

Lemma pass_right m : forall e, pass unit alpha ev laws fifths m = Some e ->
  encloses unit e (worth (play test m)).
Proof.
  induction m as [o|[l|n] u v next IH]; intro e; cbn [pass play]; [| |discriminate].
  - intro E0. injection E0 as <-. unfold encloses, worth, Pr. cbn [expect ET low high]. destruct (ev o); simpl; lra.
  - pose proof (law_found l u v) as L. destruct (find _ laws) as [[[l' w] [r|]]|]; try discriminate.
    pose proof (IH true) as A. pose proof (IH false) as B. destruct (pass _ _ _ _ _ (next true)) as [a|];
      [|discriminate].
    destruct (pass _ _ _ _ _ (next false)) as [b|]; [|discriminate]. specialize (A a eq_refl). specialize (B b eq_refl).
    destruct (Nat.eqb_spec u v) as [|Huv]; [discriminate|]. destruct (L l' w r Huv eq_refl) as ([D1 D2] & U & V).
    intro E0. injection E0 as <-. set (t := test l u v) in *.
    assert (W : worth (obind t (fun x => play test (next (x =? u)%nat))) =
      IZR alpha * ET P t + (Pr P t (is_arm u) * worth (play test (next true)) + Pr P t (is_arm v) * worth (play test
        (next false)))).
    { unfold worth, obind. unfold Pr at 1. rewrite E_bind, ET_bind.
      rewrite !(expect_two P t _ u v) by (auto; try apply DT_leaves; cbn; now rewrite ?Hev).
      assert ((v =? u)%nat = false) as -> by (apply Nat.eqb_neq; congruence). rewrite Nat.eqb_refl. unfold Pr. ring. }
    pose proof (product _ _ _ _ _ Hunit (Pr_nonneg P P01 t _) (worth_pos (play test (next true))) U A) as [X1 X2].
    pose proof (product _ _ _ _ _ Hunit (Pr_nonneg P P01 t _) (worth_pos (play test (next false))) V B) as [Y1 Y2].
    set (x := Pr P t (is_arm u) * worth (play test (next true))) in *.
    set (y := Pr P t (is_arm v) * worth (play test (next false))) in *.
    apply IZR_le in Halpha. rewrite W. unfold encloses. cbn [low high]. rewrite !plus_IZR, !mult_IZR. split.
    + assert (IZR ((Z.max 0 (low (first_law r)) * low a + Z.max 0 (low (second_law r)) * low b) / unit)
      <= (x + y) * IZR unit)
        by (apply div_le_real; [exact Hunit|rewrite plus_IZR; lra]). nra.
    + assert ((x + y) * IZR unit <= IZR (up_div (high (first_law r) * high a + high (second_law r) * high b)
      unit))
        by (apply up_div_ge_real; [exact Hunit|rewrite plus_IZR; lra]). nra.
Qed.
End PassRight.

(** The five kinds of matches of the pass. *)
Definition kind (den : positive) (b : nat) (w : Z) : exact * Z := ({| rational := 1 # den; basel := b |}, w).
Definition kinds : list (exact * Z) := [kind 70 1 4; kind 35 1 4; kind 140 1 4; kind 60 0 4; kind 60 0 1].
Definition pass_laws : list (exact * Z * option law) := Eval vm_compute in
  map (fun kind => (kind, law_at (10 ^ 27) (snd kind) (fst kind) (Z.to_nat 640))) kinds.

Lemma pass_laws_at : map (fun x => law_at (10 ^ 27) (snd (fst x)) (fst (fst x)) (Z.to_nat 640)) pass_laws =
  ltac:(let found := eval vm_compute in (map snd pass_laws) in exact found).
Proof. match goal with |- _ = ?found => vm_cast_no_check (eq_refl found) end. Qed.

Lemma cyclic8_01 P : cyclic8 P -> forall u v, 0 <= P u v <= 1.
Proof. intros C u v. rewrite C. unfold fifths. destruct (Nat.eqb u v); [lra|]. destruct (_ || _)%bool; lra. Qed.

Lemma pass_encloses P F alpha ev e : cyclic8 P -> (Z.to_nat 640 <= F)%nat -> (0 <= alpha)%Z -> ev None = false ->
  pass (10 ^ 27) alpha ev pass_laws fifths (TreeAscent (cv := standard) ask 8 3 0%nat tenth) = Some e ->
  let m := TreeAscent (cv := standard) (DT paper_rule F) 8 3 0%nat (1/10) in encloses (10 ^ 27) e (Pr P m ev + IZR
    alpha * ET P m).
Proof.
  intros C HF Ha Hev Hp. rewrite <- value_tenth.
  rewrite (play_TreeAscent standard (DT paper_rule F) 8%nat 3%nat 0%nat tenth (DT_leaves paper_rule F)
    (conventions_balanced 8%nat ltac:(lia)) ltac:(lia)).
  apply (pass_right P (Z.to_nat 640) F (10 ^ 27) alpha ev pass_laws fifths (cyclic8_01 P C) HF Ha Hev);
    [|exact pass_laws_at|reflexivity|exact Hp].
  intros u v Huv. rewrite C. apply Nat.eqb_neq in Huv. now rewrite Huv.
Qed.

Lemma pass_duels_at : pass (10 ^ 27) 1 (fun _ => false) pass_laws fifths (TreeAscent (cv := standard) ask 8 3 0%nat
  tenth) =
  ltac:(let found := eval vm_compute in (pass (10 ^ 27) 1 (fun _ => false) pass_laws fifths
    (TreeAscent (cv := standard) ask 8 3 0%nat tenth)) in exact found).
Proof. match goal with |- _ = ?found => vm_cast_no_check (eq_refl found) end. Qed.
Lemma pass_error_at : pass (10 ^ 27) 0 (wrong 4%nat) pass_laws fifths (TreeAscent (cv := standard) ask 8 3 0%nat
  tenth) =
  ltac:(let found := eval vm_compute in (pass (10 ^ 27) 0 (wrong 4%nat) pass_laws fifths
    (TreeAscent (cv := standard) ask 8 3 0%nat tenth)) in exact found).
Proof. match goal with |- _ = ?found => vm_cast_no_check (eq_refl found) end. Qed.

Theorem pass_law : pass_law_statement.
Proof.
  intros P F C HF. apply horizon in HF. pose proof (pass_encloses P F 1 _ _ C HF ltac:(lia) eq_refl pass_duels_at) as A.
  pose proof (pass_encloses P F 0 _ _ C HF ltac:(lia) eq_refl pass_error_at) as B. cbv zeta in *. unfold Pr at 1 in A.
  rewrite E_const, Rplus_0_l, Rmult_1_l in A. rewrite Rmult_0_l, Rplus_0_r in B.
  split; [eapply between; [exact A| | | |]|eapply between; [exact B| | | |]]; vm_compute; congruence.
Qed.
