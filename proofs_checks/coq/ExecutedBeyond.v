(** * The tests that are not the paper's as they are executed, duel by duel

    MixtureTest, SprtTest and the truncated SprtTest ask whether a rational number is at most their level.
    A level is a rational times a power of 6/pi^2; what has the power is decided by enclosures of pi, in finer
    units where coarser ones do not tell.  What even the finest do not tell ends the program, with [None]. *)
From Coq Require Import Reals Lra Psatz Lia ZArith QArith Qreals List.
From Coquelicot Require Import Rcomplements.
Import ListNotations.
From TGITE Require Import Setting Algorithms Program Hoeffding Confidence DuelTest BudgetedDuelTest Trees.
From TGITE Require Import Logarithms ExecutedTests MixtureTest SprtTest.
Open Scope Z_scope.

Inductive verdict := Yes | No | Unknown.

(** Integers around (u pi)^(2k). *)
Definition pi_powers (k : nat) (u : Z) : Z * Z :=
  match k with
  | O => (1, 1)
  | _ => let e := pi u in (Z.max 0 (low e) ^ (2 * Z.of_nat k), high e ^ (2 * Z.of_nat k))
  end.

(** a <= (6/pi^2)^k b?  First in units of 1/[u]. *)
Fixpoint at_most_times (fuel k : nat) (u a b : Z) : verdict :=
  match fuel with
  | O => Unknown
  | S f => let (l, h) := pi_powers k u in
           let right := b * 6 ^ Z.of_nat k * u ^ (2 * Z.of_nat k) in
           if a * h <=? right then Yes else if right <? a * l then No else at_most_times f k (u * u) a b
  end.

Section Level.
Variables (l : exact) (u : Z).

(** a/b at most the level? *)
Definition at_most_level (a b : Z) : verdict :=
  at_most_times 10 (basel l) u (Zpos (Qden (rational l)) * a) (Qnum (rational l) * b).

(** ** MixtureTest *)

(** C(m, k) and C(m, 0) + ... + C(m, k) for the next [fuel] of [k]. *)
Fixpoint binomials (fuel : nat) (m k term total : Z) : Z * Z :=
  match fuel with
  | O => (term, total)
  | S f => let term := term * (m - k) / (k + 1) in binomials f m (k + 1) term (total + term)
  end.

(** mixture n s >= 1/level, by adding up the binomials *)
Definition evident_exactly (n s : Z) : verdict :=
  let (term, total) := binomials (Z.to_nat s) (n + 1) 0 1 1 in at_most_level (term * (n + 1 - s)) total.

(** After [n] duels [wins] are the fewest that are evidence, or [n] if none are ([enough] says so).  Integers around
    (n+1) W n wins, in units of 1/[unit]. *)
Record evidence := { wins : Z; below : Z; above : Z; enough : bool }.
Variables (unit least most : Z). (* unit/level is at least [least] and at most [most] *)

Definition one_duel_more (n : Z) (e : evidence) : evidence :=
  let times := 2 * (n + 1 - wins e) in
  {| wins := wins e; below := below e * times / (n + 1) - unit; above := up_div (above e * times) (n + 1) - unit;
     enough := enough e |}.
Definition one_win_more (n : Z) (e : evidence) : evidence :=
  let times := wins e + 1 in
  {| wins := wins e + 1; below := unit + (below e + unit) * times / (n - wins e);
     above := unit + up_div ((above e + unit) * times) (n - wins e); enough := enough e |}.
Definition with_enough (e : evidence) (b : bool) : evidence :=
  {| wins := wins e; below := below e; above := above e; enough := b |}.

Definition reaches (n : Z) (e : evidence) : verdict :=
  if (n + 1) * most <=? below e then Yes else if above e <? (n + 1) * least then No else evident_exactly n (wins e).

(** From [n] duels to [n + 1]: as many wins are needed, or one more. *)
Definition next (n : Z) (e : evidence) : option evidence :=
  let same := one_duel_more n e in
  let more := one_win_more (n + 1) same in
  if enough e then
    match reaches (n + 1) same with Yes => Some same | No => Some more | Unknown => None end
  else
    match reaches (n + 1) more with Yes => Some (with_enough more true) | No => Some more | Unknown => None end.

Variables v w : arm.

Fixpoint mixture_duels (fuel : nat) (n s : Z) (e : evidence) : program question (option arm) :=
  match fuel with
  | O => Ret None
  | S f => Ask Single v w (fun b =>
      match next n e with
      | None => Ret None
      | Some e =>
          let n := n + 1 in
          let s := if b then s + 1 else s in
          if enough e && (wins e <=? s) then close l v w (Some v)
          else if enough e && (wins e <=? n - s) then close l v w (Some w)
          else mixture_duels f n s e
      end)
  end.

(** ** The stopping lead of SprtTest, and duels until it is reached *)

Variable g : Q.

(** 1/(1 + ((1+2g)/(1-2g))^k) at most the level? *)
Definition lead_suffices (k : Z) : verdict :=
  let b := (Zpos (Qden g) - 2 * Qnum g) ^ k in at_most_level b ((Zpos (Qden g) + 2 * Qnum g) ^ k + b).

Fixpoint doubled (fuel : nat) (k : Z) : Z :=
  match fuel with O => k | S f => match lead_suffices k with No => doubled f (2 * k) | _ => k end end.
Fixpoint between (fuel : nat) (short k : Z) : Z :=
  match fuel with
  | O => k
  | S f => if k - short <=? 1 then k
           else let middle := (short + k) / 2 in
                match lead_suffices middle with Yes => between f short middle | _ => between f middle k end
  end.

(** However it is found, it is the least: it suffices, and one less does not. *)
Definition sprt_lead : option Z :=
  let k := doubled 64 1 in
  let k := between 64 (k / 2) k in
  match (1 <=? k), lead_suffices k, (if k =? 1 then No else lead_suffices (k - 1)) with
  | true, Yes, No => Some k
  | _, _, _ => None
  end.
End Level.

(** At most [fuel] more duels; [final] answers then. *)
Fixpoint lead_duels (l : exact) (v w : arm) (final : Z -> option arm) (k : Z) (fuel : nat) (lead : Z)
    : program question (option arm) :=
  match fuel with
  | O => close l v w (final lead)
  | S f => Ask Single v w (fun b =>
      let lead := if b then lead + 1 else lead - 1 in
      if k <=? Z.abs lead then close l v w (leader v w lead) else lead_duels l v w final k f lead)
  end.

(** ** The three tests *)

Definition run_mixture (c : constants) (fuel : nat) (l : exact) (v w : arm) : program question (option arm) :=
  let k := basel l in
  let unit := scale c * scale c in
  let (lo, hi) := pi_powers k unit in
  let over := Qnum (rational l) * 6 ^ Z.of_nat k * unit ^ (2 * Z.of_nat k) in
  let least := unit * Zpos (Qden (rational l)) * lo / over in
  let most := up_div (unit * Zpos (Qden (rational l)) * hi) over in
  mixture_duels l (scale c) unit least most v w fuel 0 0 {| wins := 0; below := unit; above := unit; enough := false |}.

Definition run_sprt (c : constants) (fuel : nat) (g : Q) (l : exact) (v w : arm) : program question (option arm) :=
  match sprt_lead l (scale c) g with
  | None => Ret None
  | Some k => lead_duels l v w (fun _ => None) k fuel 0
  end.

Definition half (l : exact) : exact :=
  {| rational := Qmake (Qnum (rational l)) (2 * Qden (rational l)); basel := basel l |}.
Definition run_truncated_sprt (c : constants) (g : Q) (l : exact) (v w : arm) : program question (option arm) :=
  match sprt_lead (half l) (scale c) g, budget_from 2 c g l with
  | Some k, Some fuel => lead_duels l v w (leader v w) k fuel 0
  | _, _ => Ret None
  end.

Definition run_mixture_does_statement : Prop := forall c fuel l v w,
  made c -> level_ok l -> does (run_mixture c fuel l v w) (DT mixture_rule fuel (value l) v w).
Definition run_sprt_does_statement : Prop := forall c fuel g l v w, made c -> level_ok l -> (0 < Q2R g < 1/2)%R ->
  does (run_sprt c fuel g l v w) (SPRT (Q2R g) fuel (value l) v w).
Definition run_truncated_sprt_does_statement : Prop := forall c g l v w, made c -> level_ok l -> (0 < Q2R g < 1/2)%R ->
  does (run_truncated_sprt c g l v w) (BDT truncated_sprt (Q2R g) (value l) v w).

(** * Proofs *)

Open Scope R_scope.

(** ** Powers of pi *)

Definition says (a : verdict) (X : Prop) : Prop := match a with Yes => X | No => ~ X | Unknown => True end.

Lemma pi_powers_right k u : (1 <= u)%Z -> let (lo, hi) := pi_powers k u in
  0 <= IZR lo <= (IZR u * PI) ^ (2 * k) /\ (IZR u * PI) ^ (2 * k) <= IZR hi.
Proof.
  intro Hu. unfold pi_powers. destruct k as [|k]; [simpl; lra|]. cbv zeta.
  destruct (pi_encloses u Hu) as [A B]. apply IZR_le in Hu. pose proof PI_RGT_0.
  assert (0 <= IZR u * PI) by (apply Rmult_le_pos; lra).
  replace (2 * Z.of_nat (S k))%Z with (Z.of_nat (2 * S k)) by lia. rewrite <- !pow_IZR.
  assert (0 <= IZR (Z.max 0 (low (pi u))) <= IZR u * PI) as M.
  { split; [apply IZR_le; lia|]. destruct (Z.max_spec 0 (low (pi u))) as [[_ ->]|[_ ->]]; auto. }
  split; [split; [apply pow_le; lra|apply pow_incr; lra]|apply pow_incr; lra].
Qed.

Lemma pi_even k : (PI * PI) ^ k = PI ^ (2 * k).
Proof. rewrite pow_mult. f_equal. ring. Qed.

Lemma at_most_times_right k a b : (0 <= a)%Z -> forall fuel u, (1 <= u)%Z ->
  says (at_most_times fuel k u a b) (IZR a <= (6 / (PI * PI)) ^ k * IZR b).
Proof.
  intros Ha fuel. induction fuel as [|f IH]; intros u Hu; [exact Logic.I|]. cbn [at_most_times].
  pose proof (pi_powers_right k u Hu) as P. destruct (pi_powers k u) as [l h].
  set (right := (b * 6 ^ Z.of_nat k * u ^ (2 * Z.of_nat k))%Z). apply IZR_le in Ha. apply IZR_le in Hu as U1.
  pose proof PI_RGT_0 as P0. set (K := (IZR u * PI) ^ (2 * k)) in *. assert (0 < K) as K0 by (apply pow_lt; nra).
  assert (R : IZR right = (6 / (PI * PI)) ^ k * IZR b * K).
  { unfold right, K. rewrite !mult_IZR. replace (2 * Z.of_nat k)%Z with (Z.of_nat (2 * k)) by lia. rewrite <- !pow_IZR.
    unfold Rdiv. rewrite !Rpow_mult_distr, <- pi_even. rewrite pow_inv. field. apply pow_nonzero. nra. }
  destruct (Z.leb_spec (a * h) right) as [C|_]; [|destruct (Z.ltb_spec right (a * l)) as [C|_]; [|apply IH; nia]].
  - apply IZR_le in C. rewrite mult_IZR, R in C. apply Rmult_le_reg_r with K; [auto|]. eapply Rle_trans; [|exact C].
    now apply Rmult_le_compat_l.
  - intro X. apply IZR_lt in C. rewrite mult_IZR, R in C. apply (Rmult_le_compat_r K) in X; [|lra].
    assert (IZR a * IZR l <= IZR a * K) by (now apply Rmult_le_compat_l). lra.
Qed.

Lemma at_most_level_right l u a b : level_ok l -> (1 <= u)%Z -> (0 <= a)%Z ->
  says (at_most_level l u a b) (IZR a <= value l * IZR b).
Proof.
  intros [H0 _] Hu Ha. set (q := Zpos (Qden (rational l))). set (x := Qnum (rational l)).
  pose proof (at_most_times_right (basel l) (q * a) (x * b) ltac:(unfold q; nia) 10 u Hu) as A.
  assert (0 < IZR q) as D by (now apply IZR_lt). set (F := (6 / (PI * PI)) ^ basel l) in *.
  replace (value l * IZR b) with (F * (IZR x * IZR b) / IZR q) by (unfold value, Q2R; fold F x q; field; lra).
  rewrite !mult_IZR, (Rmult_comm (IZR q)) in A. unfold at_most_level.
  destruct (at_most_times _ _ _ _ _); cbn [says] in *; rewrite <- ?Rle_div_r by exact D; exact A.
Qed.

(** ** Evidence *)

Lemma evident_ratio d n s : (s <= n)%nat -> (evident d n s = true <-> INR (S n) <= d * tail_ratio n s).
Proof.
  intro Hs.
  rewrite evident_iff, mixture_ratio, times_quotient, <- Rle_div_r, Rmult_1_l; [tauto|apply lt_0_INR; lia|auto|auto].
Qed.

Lemma W_mono_le n s t : (s <= t)%nat -> (t <= n)%nat -> mixture n s <= mixture n t.
Proof. intros H. induction H as [|t H IH]; intro Ht; [lra|]. eapply Rle_trans; [apply IH; lia|apply W_mono; lia]. Qed.
Lemma W_next n s : (s <= n)%nat -> mixture (S n) s <= mixture n s <= mixture (S n) (S s).
Proof. intro H. pose proof (W_fair n s H). pose proof (W_mono (S n) s ltac:(lia)). lra. Qed.

Lemma evident_up d n s n' s' : 0 < d -> (s <= n)%nat -> (s' <= n')%nat -> mixture n s <= mixture n' s' ->
  evident d n s = true -> evident d n' s' = true.
Proof. intros Hd H H' HW. rewrite !evident_iff by auto. intro X. nra. Qed.
Lemma evident_down d n s n' s' : 0 < d -> (s <= n)%nat -> (s' <= n')%nat -> mixture n s <= mixture n' s' ->
  evident d n' s' = false -> evident d n s = false.
Proof. intros Hd H H' HW. rewrite <- !Bool.not_true_iff_false. intros E F. apply E. now apply (evident_up d n s). Qed.

(** ** Binomials *)

Lemma binom_next m k : (k < m)%nat -> (S k * binom m (S k) = (m - k) * binom m k)%nat.
Proof. intro H. destruct m as [|m]; [lia|]. rewrite binom_absorb, binom_absorb' by lia. reflexivity. Qed.

Lemma binomials_right m fuel : forall k, (k + fuel <= m)%nat ->
  binomials fuel (Z.of_nat m) (Z.of_nat k) (Z.of_nat (binom m k)) (Z.of_nat (binoms m k)) =
  (Z.of_nat (binom m (k + fuel)), Z.of_nat (binoms m (k + fuel))).
Proof.
  induction fuel as [|f IH]; intros k H; cbn [binomials]; [now rewrite Nat.add_0_r|].
  assert (Z.of_nat (binom m k) * (Z.of_nat m - Z.of_nat k) / (Z.of_nat k + 1) = Z.of_nat (binom m (S k)))%Z as ->.
  { pose proof (binom_next m k ltac:(lia)) as N. symmetry. apply Z.div_unique_exact; [lia|].
    nia. }
  rewrite <- Nat2Z.inj_add. replace (Z.of_nat k + 1)%Z with (Z.of_nat (S k)) by lia. rewrite IH by lia.
  now rewrite <- plus_n_Sm.
Qed.

Lemma binomials_total n s : (s <= n)%nat ->
  binomials s (Z.of_nat n + 1) 0 1 1 = (Z.of_nat (binom (S n) s), Z.of_nat (binoms (S n) s)) /\
  (Z.of_nat (binom (S n) s) * (Z.of_nat n + 1 - Z.of_nat s) = Z.of_nat (S n * binom n s))%Z.
Proof.
  intro Hs. replace (Z.of_nat n + 1)%Z with (Z.of_nat (S n)) by lia.
  split; [exact (binomials_right (S n) s 0 ltac:(lia))|]. rewrite <- binom_absorb' by exact Hs. f_equal. lia.
Qed.

Lemma evident_exactly_right l u n s : level_ok l -> (1 <= u)%Z -> (s <= n)%nat ->
  says (evident_exactly l u (Z.of_nat n) (Z.of_nat s)) (evident (value l) n s = true).
Proof.
  intros Hl Hu Hs. unfold evident_exactly. rewrite Nat2Z.id. destruct (binomials_total n s Hs) as [-> ->].
  pose proof (at_most_level_right l u (Z.of_nat (S n * binom n s)) (Z.of_nat (binoms (S n) s)) Hl Hu ltac:(lia)) as A.
  rewrite <- !INR_IZR_INZ, mult_INR in A.
  assert (E : evident (value l) n s = true <-> INR (S n) * INR (binom n s) <= value l * INR (binoms (S n) s)).
  { unfold evident. destruct (Rle_dec _ _); split; intro; try discriminate; try contradiction; auto. }
  destruct (at_most_level _ _ _ _); cbn [says] in *; tauto.
Qed.

(** ** The recursion *)

Section Recursion.
Variables (l : exact) (u unit least most : Z).
Hypothesis Hl : level_ok l.
Hypothesis Hu : (1 <= u)%Z.
Hypothesis Hunit : (1 <= unit)%Z.
Hypothesis Hleast : IZR least * value l <= IZR unit.
Hypothesis Hmost : IZR unit <= IZR most * value l.
Let d := value l.
Let Hd : 0 < d < 1.
Proof. exact (level_pos l Hl). Qed.

Definition around (n t : nat) (e : evidence) : Prop :=
  wins e = Z.of_nat t /\ IZR (below e) <= IZR unit * tail_ratio n t <= IZR (above e).

Lemma rounded_quotient lo hi x times N : (0 < N)%Z -> (0 <= times)%Z -> IZR lo <= x <= IZR hi ->
  IZR (lo * times / N) <= x * IZR times / IZR N <= IZR (up_div (hi * times) N).
Proof.
  intros HN HT [A B]. apply IZR_le in HT as T0. apply IZR_lt in HN as N0.
  split; [apply div_le_real|apply up_div_ge_real]; auto; rewrite mult_IZR;
    replace (x * IZR times / IZR N * IZR N) with (x * IZR times) by (field; lra); now apply Rmult_le_compat_r.
Qed.

Lemma one_duel_more_right n t e : (t <= n)%nat -> around n t e -> around (S n) t (one_duel_more unit (Z.of_nat n) e).
Proof.
  intros Ht (Ew & E). split; [exact Ew|]. unfold one_duel_more. cbn [below above]. rewrite Ew.
  assert (R : tail_ratio (S n) t = tail_ratio n t * IZR (2 * (Z.of_nat n + 1 - Z.of_nat t)) / IZR (Z.of_nat n + 1) - 1).
  { replace (Z.of_nat n + 1)%Z with (Z.of_nat (S n)) by lia. rewrite mult_IZR, minus_IZR, <- !INR_IZR_INZ.
    unfold tail_ratio. pose proof (binoms_step' (S n) t) as Q. pose proof (binom_absorb' n t Ht) as C.
    apply (f_equal INR) in Q. apply (f_equal INR) in C. rewrite plus_INR, mult_INR in Q.
    rewrite !mult_INR, minus_INR in C by lia. simpl (INR 2) in Q. pose proof (binom_INR (S n) t ltac:(lia)).
    pose proof (lt_INR t (S n) ltac:(lia)). pose proof (lt_0_INR (S n) ltac:(lia)).
    replace (INR (binoms (S (S n)) t)) with (2 * INR (binoms (S n) t) - INR (binom (S n) t)) by lra.
    replace (INR (binom n t)) with ((INR (S n) - INR t) * INR (binom (S n) t) / INR (S n)) by (rewrite C; field; lra).
    field. repeat split; lra. }
  pose proof (rounded_quotient _ _ _ (2 * (Z.of_nat n + 1 - Z.of_nat t)) (Z.of_nat n + 1) ltac:(lia) ltac:(lia) E) as Q.
  rewrite R, !minus_IZR. lra.
Qed.

Lemma one_win_more_right n t e : (t < n)%nat -> around n t e -> around n (S t) (one_win_more unit (Z.of_nat n) e).
Proof.
  intros Ht (Ew & A & B). unfold around, one_win_more. cbn [wins below above]. rewrite Ew. split; [lia|].
  assert (R : tail_ratio n (S t) = 1 + (tail_ratio n t + 1) * IZR (Z.of_nat t + 1) / IZR (Z.of_nat n - Z.of_nat t)).
  { rewrite tail_ratio_step by lia. rewrite plus_IZR, minus_IZR, <- !INR_IZR_INZ. pose proof (lt_INR t n Ht). field.
    lra. }
  pose proof (rounded_quotient (below e + unit) (above e + unit) (IZR unit * tail_ratio n t + IZR unit) (Z.of_nat t + 1)
    (Z.of_nat n - Z.of_nat t) ltac:(lia) ltac:(lia) ltac:(rewrite !plus_IZR; lra)) as Q.
  rewrite R, !(plus_IZR unit). lra.
Qed.

Lemma reaches_right n t e : (t <= n)%nat -> around n t e ->
  says (reaches l u least most (Z.of_nat n) e) (evident d n t = true).
Proof.
  intros Ht (Ew & A & B). unfold reaches. rewrite Ew. pose proof (lt_0_INR (S n) ltac:(lia)) as N0.
  apply IZR_le in Hunit as U1. pose proof (evident_ratio d n t Ht) as E.
  assert (IZR (Z.of_nat n + 1) = INR (S n)) as NE by (rewrite S_INR, plus_IZR, <- INR_IZR_INZ; reflexivity).
  destruct (Z.leb_spec ((Z.of_nat n + 1) * most) (below e)) as [C|_];
    [|destruct (Z.ltb_spec (above e) ((Z.of_nat n + 1) * least)) as [C|_]; [|now apply evident_exactly_right]].
  - apply E. apply IZR_le in C. rewrite mult_IZR, NE in C. apply Rmult_le_reg_l with (IZR unit); [lra|].
    fold d in Hmost. apply Rle_trans with (IZR most * d * INR (S n)); [apply Rmult_le_compat_r; lra|].
    assert (INR (S n) * IZR most * d <= IZR unit * tail_ratio n t * d) by (apply Rmult_le_compat_r; lra). lra.
  - rewrite E. intro X. apply IZR_lt in C. rewrite mult_IZR, NE in C. fold d in Hleast.
    assert (IZR unit * INR (S n) <= IZR unit * (d * tail_ratio n t)) by (apply Rmult_le_compat_l; lra).
    assert (IZR unit * tail_ratio n t * d < INR (S n) * IZR least * d) by (apply Rmult_lt_compat_r; lra).
    assert (INR (S n) * (IZR least * d) <= INR (S n) * IZR unit) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Definition known (n : nat) (e : evidence) : Prop := exists t, (t <= n)%nat /\ around n t e /\
  if enough e then evident d n t = true /\ forall s, (s < t)%nat -> evident d n s = false
  else t = n /\ forall s, (s <= n)%nat -> evident d n s = false.

Lemma next_right n e : known n e ->
  match next l u unit least most (Z.of_nat n) e with Some e' => known (S n) e' | None => True end.
Proof.
  intros (t & Ht & Hr & K). unfold next. cbv zeta. replace (Z.of_nat n + 1)%Z with (Z.of_nat (S n)) by lia.
  pose proof (one_duel_more_right n t e Ht Hr) as Same. set (same := one_duel_more unit (Z.of_nat n) e) in *.
  pose proof (one_win_more_right (S n) t same ltac:(lia) Same) as More.
  set (more := one_win_more unit (Z.of_nat (S n)) same) in *. pose proof (proj1 Hd) as D0. destruct (enough e) eqn:Ee.
  - destruct K as [K1 K2]. pose proof (reaches_right (S n) t same ltac:(lia) Same) as V.
    assert (Less : forall s, (s < t)%nat -> evident d (S n) s = false).
    { intros s Hs. apply (evident_down d (S n) s n s); auto; try lia. apply W_next; lia. }
    destruct (reaches _ _ _ _ _ _); cbn [says] in V; [| |exact Logic.I].
    + exists t. split; [lia|]. split; [exact Same|]. change (enough same) with (enough e). rewrite Ee. auto.
    + exists (S t). split; [lia|]. split; [exact More|]. change (enough more) with (enough e). rewrite Ee. split.
      * apply (evident_up d n t (S n) (S t)); auto; try lia. apply W_next; lia.
      * intros s Hs. apply Bool.not_true_iff_false in V.
        apply (evident_down d (S n) s (S n) t); auto; try lia. apply W_mono_le; lia.
  - destruct K as [-> K]. pose proof (reaches_right (S n) (S n) more (le_n _) More) as V.
    assert (Less : forall s, (s <= n)%nat -> evident d (S n) s = false).
    { intros s Hs. apply (evident_down d (S n) s n s); auto. apply W_next; lia. }
    destruct (reaches _ _ _ _ _ _); cbn [says] in V; [| |exact Logic.I].
    all: exists (S n); split; [lia|]; split; [exact More|].
    + split; [exact V|]. intros s Hs. apply Less. lia.
    + change (enough more) with (enough e). rewrite Ee. split; [reflexivity|]. intros s Hs.
      apply Bool.not_true_iff_false in V. destruct (Nat.eq_dec s (S n)) as [->|]; [exact V|]. apply Less. lia.
Qed.

Lemma evident_known n s e : (s <= n)%nat -> known n e -> evident d n s = (enough e && (wins e <=? Z.of_nat s)%Z)%bool.
Proof.
  intros Hs (t & Ht & (Ew & _) & K). rewrite Ew. destruct (enough e); [|now apply K]. destruct K as [K1 K2].
  destruct (Z.leb_spec (Z.of_nat t) (Z.of_nat s)); [|apply K2; lia]. apply (evident_up d n t n s); auto; [apply Hd|].
  apply W_mono_le; lia.
Qed.

Lemma mixture_duels_do v w fuel : forall n s e, (s <= n)%nat -> known n e ->
  does (mixture_duels l u unit least most v w fuel (Z.of_nat n) (Z.of_nat s) e)
    (seqtest (mixture_rule d) never fuel n s v w).
Proof.
  induction fuel as [|f IH]; intros n s e Hs K; cbn [mixture_duels seqtest]; [apply does_give_up|].
  apply does_duel. intro b. pose proof (next_right n e K) as N.
  destruct (next _ _ _ _ _ _ _) as [e'|]; [|apply does_give_up].
  cbv zeta.
  assert ((if b then Z.of_nat s + 1 else Z.of_nat s) = Z.of_nat (b2n b + s))%Z as -> by (destruct b; cbn [b2n]; lia).
  assert (b2n b + s <= S n)%nat as Hs' by (destruct b; cbn [b2n]; lia).
  replace (Z.of_nat n + 1)%Z with (Z.of_nat (S n)) by lia. rewrite <- Nat2Z.inj_sub by exact Hs'.
  unfold mixture_rule.
  rewrite <- (evident_known (S n) _ e' Hs' N), <- (evident_known (S n) (S n - (b2n b + s)) e' ltac:(lia) N).
  destruct (evident d (S n) (b2n b + s)); [apply close_does|].
  destruct (evident d (S n) (S n - (b2n b + s))); [apply close_does|]. now apply IH.
Qed.
End Recursion.

Theorem run_mixture_does : run_mixture_does_statement.
Proof.
  intros c fuel l v w Hc Hl. unfold run_mixture, DT. cbv zeta. pose proof (made_unit c Hc) as U.
  pose proof (level_pos l Hl) as D.
  set (unit := (scale c * scale c)%Z). assert (1 <= unit)%Z as U1 by (unfold unit; nia).
  pose proof (pi_powers_right (basel l) unit U1) as P. destruct (pi_powers (basel l) unit) as [lo hi].
  destruct P as [[L0 L] H].
  set (over := (Qnum (rational l) * 6 ^ Z.of_nat (basel l) * unit ^ (2 * Z.of_nat (basel l)))%Z).
  destruct Hl as [H0 H1]. apply IZR_le in U1 as UR. pose proof PI_RGT_0 as P0. assert (0 < over)%Z as O0.
  { repeat apply Z.mul_pos_pos; [exact H0|apply Z.pow_pos_nonneg; lia|apply Z.pow_pos_nonneg; lia]. }
  assert (0 < IZR (Zpos (Qden (rational l)))) as DR by (now apply IZR_lt).
  set (K := (IZR unit * PI) ^ (2 * basel l)) in *. assert (0 < K) by (unfold K; positive).
  assert (O : value l * IZR (Zpos (Qden (rational l))) * K = IZR over).
  { unfold over, K, value, Q2R. rewrite !mult_IZR.
    replace (2 * Z.of_nat (basel l))%Z with (Z.of_nat (2 * basel l)) by lia. rewrite <- !pow_IZR.
    unfold Rdiv. rewrite !Rpow_mult_distr, <- pi_even, pow_inv. field. repeat split; try lra; apply pow_nonzero; nra. }
  set (q := IZR (Zpos (Qden (rational l)))) in *.
  apply mixture_duels_do with (n := 0%nat) (s := 0%nat); auto.
  - split; auto.
  - pose proof (div_below (unit * Zpos (Qden (rational l)) * lo) over O0) as A.
    rewrite !mult_IZR, <- O in A. fold q in A.
    apply (Rmult_le_compat_l (IZR unit * q)) in L; [|positive]. apply Rmult_le_reg_r with (q * K); [positive|lra].
  - pose proof (up_div_above (unit * Zpos (Qden (rational l)) * hi) over O0) as A.
    rewrite !mult_IZR, <- O in A. fold q in A. apply (Rmult_le_compat_l (IZR unit * q)) in H; [|positive].
    apply Rmult_le_reg_r with (q * K); [positive|lra].
  - exists 0%nat. split; [lia|]. split; [split; [reflexivity|]; unfold tail_ratio; simpl; lra|]. split; [reflexivity|].
    intros s Hs. apply not_evident; [exact D|lia].
Qed.

(** ** Leads *)

Lemma gap_parts g : 0 < Q2R g < 1/2 -> (0 < Qnum g)%Z /\ (2 * Qnum g < Zpos (Qden g))%Z.
Proof.
  intros [A B]. assert (0 < IZR (Zpos (Qden g))) as D by (now apply IZR_lt).
  apply (Rlt_div_r 0 _ _ D) in A. apply (Rlt_div_l _ _ _ D) in B. split; apply lt_IZR; rewrite ?mult_IZR; lra.
Qed.

Lemma lead_suffices_right l u g k : level_ok l -> (1 <= u)%Z -> 0 < Q2R g < 1/2 ->
  says (lead_suffices l u g (Z.of_nat k)) (/ (1 + odds (Q2R g) ^ k) <= value l).
Proof.
  intros Hl Hu Hg. destruct (gap_parts g Hg) as [G0 G1]. unfold lead_suffices.
  set (b := (Zpos (Qden g) - 2 * Qnum g)%Z). set (a := (Zpos (Qden g) + 2 * Qnum g)%Z).
  assert (0 < b)%Z as B0 by (unfold b; lia). assert (0 < a)%Z as A0 by (unfold a; lia).
  pose proof (at_most_level_right l u (b ^ Z.of_nat k) (a ^ Z.of_nat k + b ^ Z.of_nat k) Hl Hu
    ltac:(apply Z.lt_le_incl, Z.pow_pos_nonneg; lia)) as A.
  rewrite plus_IZR, <- !pow_IZR in A. apply IZR_lt in B0, A0.
  assert (0 < IZR (Zpos (Qden g))) as D by (now apply IZR_lt). assert (O : odds (Q2R g) = IZR a / IZR b).
  { unfold odds, Q2R, a, b. unfold b in B0. rewrite minus_IZR, mult_IZR in B0. rewrite minus_IZR, plus_IZR, mult_IZR.
    field. repeat split; lra. }
  assert (0 < IZR a ^ k) as AK by (now apply pow_lt). assert (0 < IZR b ^ k) as BK by (now apply pow_lt).
  replace (/ (1 + odds (Q2R g) ^ k)) with (IZR b ^ k / (IZR a ^ k + IZR b ^ k)).
  2:{ rewrite O. unfold Rdiv. rewrite Rpow_mult_distr, pow_inv. field. repeat split; lra. }
  destruct (at_most_level _ _ _ _); cbn [says] in *; rewrite ?Rle_div_l by lra; exact A.
Qed.

Lemma sprt_lead_right l u g k : level_ok l -> (1 <= u)%Z -> 0 < Q2R g < 1/2 -> sprt_lead l u g = Some k ->
  (1 <= k)%Z /\ stopping_lead (Q2R g) (value l) (Z.to_nat k).
Proof.
  intros Hl Hu Hg. unfold sprt_lead. cbv zeta. set (j := between _ _ _ _ _ _).
  destruct (Z.leb_spec 1 j) as [J|]; [|discriminate].
  pose proof (lead_suffices_right l u g (Z.to_nat j) Hl Hu Hg) as Y. rewrite Z2Nat.id in Y by lia.
  destruct (lead_suffices l u g j); try discriminate. cbn [says] in Y.
  destruct (if (j =? 1)%Z then No else lead_suffices l u g (j - 1)) eqn:N; try discriminate. intros [= <-].
  split; [exact J|]. split; [lia|]. split; [exact Y|]. intros i Hi. destruct (Z.eqb_spec j 1) as [E|E]; [lia|].
  pose proof (lead_suffices_right l u g (Z.to_nat (j - 1)) Hl Hu Hg) as M. rewrite Z2Nat.id in M by lia. rewrite N in M.
  cbn [says] in M. apply Rnot_le_lt. intro X. apply M. eapply Rle_trans; [|exact X].
  pose proof (odds_gt1 (Q2R g) Hg) as O1. apply Rinv_le_contravar.
  - pose proof (pow_lt (odds (Q2R g)) i ltac:(lra)). lra.
  - apply Rplus_le_compat_l, Rle_pow; [lra|lia].
Qed.

Lemma lead_duels_do l v w g d k final fin : 0 < Q2R g < 1/2 -> 0 < d < 1 -> (1 <= k)%Z ->
  stopping_lead (Q2R g) d (Z.to_nat k) ->
  (forall n s, (0 < n)%nat -> final (lead_of n s) = pick v w (fin n s)) ->
  forall fuel n s, (0 < n + fuel)%nat -> (s <= n)%nat ->
  does (lead_duels l v w final k fuel (lead_of n s)) (seqtest (sprt_rule (Q2R g) d) fin fuel n s v w).
Proof.
  intros Hg Hd Hk SL Hf. induction fuel as [|f IH]; intros n s Hn Hs; cbn [lead_duels seqtest].
  - rewrite Hf by lia. apply close_does.
  - apply does_duel. intro b. cbv zeta. rewrite lead_step. set (s' := (b2n b + s)%nat).
    assert (s' <= S n)%nat as Hs' by (unfold s'; destruct b; cbn [b2n]; lia).
    rewrite (rule_lead (Q2R g) d Hg (Z.to_nat k) (S n) s' SL). unfold lead_of, leader.
    destruct (Z.leb_spec k (Z.abs (2 * Z.of_nat s' - Z.of_nat (S n)))) as [C|C],
      (Z.leb_spec 0 (2 * Z.of_nat s' - Z.of_nat (S n))), (Nat.leb_spec (Z.to_nat k) (2 * s' - S n)),
      (Nat.leb_spec (Z.to_nat k) (S n - 2 * s')); try lia; (apply close_does || (apply IH; [lia|exact Hs'])).
Qed.

Theorem run_sprt_does : run_sprt_does_statement.
Proof.
  intros c fuel g l v w Hc Hl Hg. unfold run_sprt, SPRT, DT. pose proof (made_unit c Hc) as U.
  pose proof (level_pos l Hl) as D. destruct (sprt_lead l (scale c) g) as [k|] eqn:E; [|apply does_give_up].
  destruct (sprt_lead_right l (scale c) g k Hl U Hg E) as [K S]. destruct fuel as [|f]; [apply does_give_up|].
  apply lead_duels_do with (d := value l) (n := 0%nat) (s := 0%nat); auto. lia.
Qed.

Lemma value_half l : value (half l) = value l / 2.
Proof.
  unfold value, half, Q2R. cbn [rational basel Qnum Qden]. rewrite (Pos2Z.inj_mul 2), mult_IZR.
  assert (0 < IZR (Zpos (Qden (rational l)))) by (now apply IZR_lt). field. lra.
Qed.

Theorem run_truncated_sprt_does : run_truncated_sprt_does_statement.
Proof.
  intros c g l v w Hc Hl Hg. unfold run_truncated_sprt, BDT. pose proof (made_unit c Hc) as U.
  pose proof (level_pos l Hl) as D.
  assert (level_ok (half l)) as Hh by (destruct Hl; split; [assumption|rewrite value_half; lra]).
  destruct (sprt_lead (half l) (scale c) g) as [k|] eqn:E; [|apply does_give_up].
  destruct (sprt_lead_right (half l) (scale c) g k Hh U Hg E) as [K S]. rewrite value_half in S.
  destruct (gap_parts g Hg) as [G0 _]. pose proof (fun m => budget_from_right 2 c g l m ltac:(lia) Hc Hl G0) as R.
  destruct (budget_from 2 c g l) as [m|]; [|apply does_give_up].
  specialize (R m eq_refl). change (m = bbudget truncated_sprt (Q2R g) (value l)) in R. rewrite <- R.
  pose proof (truncated_starts (Q2R g) (value l) Hg D) as M0. rewrite <- R in M0.
  cbn [bstop bvote truncated_sprt].
  apply lead_duels_do with (d := value l / 2) (n := 0%nat) (s := 0%nat); auto; try lra.
  intros n s Hn. rewrite ahead_lead by auto. unfold leader. cbn [pick]. destruct (Z.leb _ _); reflexivity.
Qed.
