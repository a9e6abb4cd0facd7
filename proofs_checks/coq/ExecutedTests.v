(** * The pairwise tests as they are executed, duel by duel

    The stopping rules of both tests compare a square of integers with a logarithm: after [n] duels with a
    lead of [lead] wins, and for the gap p/q (0/1 for DuelTest),

      stop  iff  2 n q^2 log(count n / level) < (q |lead| + 2 p n)^2.

    Enclosures of the logarithm decide it, in finer units where coarser ones do not ([settle]).  Until the
    square exceeds a bound that it did not exceed before, no logarithm is needed: the left side grows with n.
    Where even the finest units decide nothing the test answers [None]; it never guesses. *)
From Coq Require Import Reals Lra Psatz Lia ZArith QArith Qreals List.
From Coquelicot Require Import Rcomplements.
Import ListNotations.
From TGITE Require Import Setting Algorithms Program Hoeffding Confidence DuelTest BudgetedDuelTest Trees Logarithms.
Open Scope Z_scope.

(** ** What an executed program asks *)

(** A duel; so many rounds of self-play at once; and the announcement, which costs nothing, that the match
    at a level is over and who has won it. *)
Inductive question := Single | Rounds (n : N) | Over (l : exact) (winner : arm).

(** The executed program does, duel for duel, what a program in the sense of the theorems does, until it
    gives up with [None]. *)
Inductive does {A} : program question (option A) -> prog (option A) -> Prop :=
| does_give_up m : does (Ret None) m
| does_answer o : does (Ret o) (Ret o)
| does_duel u v k k' : (forall b, does (k b) (k' b)) -> does (Ask Single u v k) (Duel u v k')
| does_rounds n c k m : (forall b, does (k b) m) -> does (Ask (Rounds n) c c k) (self_play (N.to_nat n) c m)
| does_over l w u v k m : (forall b, does (k b) m) -> does (Ask (Over l w) u v k) m.

(** ** Decisions *)

(** A test's gap p/q, and what stands under its logarithm. *)
Record test_kind := { gap_num : Z; gap_den : Z; count : Z -> Z }.
Definition dueltest_kind : test_kind := {| gap_num := 0; gap_den := 1; count := fun n => 2 * n * (n + 1) |}.
Definition budgeted_kind (g : Q) : test_kind :=
  {| gap_num := Qnum g; gap_den := Zpos (Qden g); count := fun n => 8 * (n * n) |}.

(** log(1/level) *)
Definition log_inverse (c : constants) (l : exact) : enclosure :=
  plus (minus (log_of c (Zpos (Qden (rational l)))) (log_of c (Qnum (rational l))))
       (times (Z.of_nat (basel l)) (log_basel c)).

(** [Go b]: go on, and as long as the square is at most [b]. *)
Inductive decision := Stop | Go (bound : Z) | Open.

Section Decisions.
Variables (k : test_kind) (l : exact).

(** After [n] duels, for the number [x] that is squared; [e] encloses log(1/level). *)
Definition decide (c : constants) (e : enclosure) (n x : Z) : decision :=
  let factor := 2 * n * (gap_den k * gap_den k) in
  let log := plus (log_of c (count k n)) e in
  let square := x * x * scale c in
  if factor * high log <? square then Stop
  else if square <=? factor * low log then Go (factor * low log / scale c)
  else Open.

Fixpoint settle (fuel : nat) (u n x : Z) : decision :=
  match fuel with
  | O => Open
  | S f => let c := constants_at u in
           match decide c (log_inverse c l) n x with Open => settle f (u * u) n x | d => d end
  end.

Definition judge (c : constants) (e : enclosure) (n x : Z) : decision :=
  match decide c e n x with Open => settle 10 (scale c * scale c) n x | d => d end.

(** ** Duels *)

Variables u v : arm.

Definition close (o : option arm) : program question (option arm) :=
  match o with None => Ret None | Some w => Ask (Over l w) u v (fun _ => Ret (Some w)) end.
Definition leader (lead : Z) : option arm := Some (if 0 <=? lead then u else v).

(** At most [fuel] more duels; [final] answers then. *)
Fixpoint duels (final : Z -> option arm) (c : constants) (e : enclosure) (fuel : nat) (n lead bound : Z) :
  program question (option arm) :=
  match fuel with
  | O => close (final lead)
  | S f => Ask Single u v (fun b =>
      let n := n + 1 in
      let lead := if b then lead + 1 else lead - 1 in
      let x := gap_den k * Z.abs lead + 2 * gap_num k * n in
      if x * x <=? bound then duels final c e f n lead bound
      else match judge c e n x with
           | Stop => close (leader lead)
           | Go bound => duels final c e f n lead bound
           | Open => Ret None
           end)
  end.
End Decisions.

(** ** The two tests *)

Definition run_dueltest (c : constants) (fuel : nat) (l : exact) (u v : arm) : program question (option arm) :=
  duels dueltest_kind l u v (fun _ => None) c (log_inverse c l) fuel 0 0 0.

(** ceil(q^2 log(m/level) / (2 p^2)), if it can be decided *)
Definition budget_at (m : Z) (c : constants) (g : Q) (l : exact) : option nat :=
  let log := plus (log_of c m) (log_inverse c l) in
  let of e := up_div (Zpos (Qden g) * Zpos (Qden g) * e) (2 * (Qnum g * Qnum g) * scale c) in
  if of (low log) =? of (high log) then Some (Z.to_nat (of (high log))) else None.
Fixpoint budget (fuel : nat) (m u : Z) (g : Q) (l : exact) : option nat :=
  match fuel with
  | O => None
  | S f => match budget_at m (constants_at u) g l with None => budget f m (u * u) g l | o => o end
  end.
Definition budget_from (m : Z) (c : constants) (g : Q) (l : exact) : option nat :=
  match budget_at m c g l with None => budget 10 m (scale c * scale c) g l | o => o end.

Definition run_budgeted (c : constants) (g : Q) (l : exact) (u v : arm) : program question (option arm) :=
  match budget_from 4 c g l with
  | None => Ret None
  | Some fuel => duels (budgeted_kind g) l u v (leader u v) c (log_inverse c l) fuel 0 0 0
  end.

(** Constants are made once, and are right. *)
Definition made (c : constants) : Prop := exists u, 1 <= u /\ c = constants_at u.

(** A level is a positive rational, below 1 with its factor. *)
Definition level_ok (l : exact) : Prop := 0 < Qnum (rational l) /\ (value l < 1)%R.

Definition run_dueltest_does_statement : Prop := forall c fuel l u v,
  made c -> level_ok l -> does (run_dueltest c fuel l u v) (DT paper_rule fuel (value l) u v).

Definition run_budgeted_does_statement : Prop := forall c g l u v,
  made c -> level_ok l -> 0 < Qnum g -> does (run_budgeted c g l u v) (BDT paper_budgeted (Q2R g) (value l) u v).

(** * Proofs *)

Open Scope R_scope.

(** ** The rules in terms of leads *)

Definition lead_of (n s : nat) : Z := (2 * Z.of_nat s - Z.of_nat n)%Z.

Lemma sqrt_lt_square y r : 0 <= y -> 0 <= r -> (sqrt y < r <-> y < r * r).
Proof.
  intros Hy Hr. split; intro H.
  - rewrite <- (sqrt_sqrt y) by auto. pose proof (sqrt_pos y). nra.
  - rewrite <- (sqrt_square r) by auto. apply sqrt_lt_1; nra.
Qed.

Lemma mean_lead n s : (0 < n)%nat -> INR s / INR n - 1/2 = IZR (lead_of n s) / (2 * INR n).
Proof.
  intro Hn. unfold lead_of. rewrite minus_IZR, mult_IZR, <- !INR_IZR_INZ. pose proof (INR_pos n Hn). field. lra.
Qed.

Lemma ahead_lead n s : (0 < n)%nat -> ahead n s = (0 <=? lead_of n s)%Z.
Proof.
  intro Hn. pose proof (mean_lead n s Hn) as M. pose proof (INR_pos n Hn) as N0. unfold ahead.
  assert (IZR (lead_of n s) = IZR (lead_of n s) / (2 * INR n) * (2 * INR n)) as E by (field; lra). rewrite <- M in E.
  destruct (Rle_dec _ _), (Z.leb_spec 0 (lead_of n s)) as [Z|Z]; auto; [apply IZR_lt in Z|apply IZR_le in Z]; nra.
Qed.

(** A rule that stops when the square exceeds [B n], and then returns the leader. *)
Definition follows (k : test_kind) (B : nat -> R) (stop : nat -> nat -> option bool) : Prop :=
  forall n s, (0 < n)%nat -> let x := (gap_den k * Z.abs (lead_of n s) + 2 * gap_num k * Z.of_nat n)%Z in
  (B n < IZR (x * x) -> stop n s = Some (0 <=? lead_of n s)%Z) /\ (IZR (x * x) <= B n -> stop n s = None).

Definition log_at (k : test_kind) (d : R) (n : nat) : R := ln (IZR (count k (Z.of_nat n)) / d).
Definition bound_at (k : test_kind) (d : R) (n : nat) : R :=
  2 * INR n * (IZR (gap_den k) * IZR (gap_den k)) * log_at k d n.

Lemma log_nonneg x d : 0 < d < 1 -> 1 <= x -> 0 <= ln (x / d).
Proof.
  intros Hd Hx. rewrite <- ln_1. apply ln_le; [lra|]. apply (Rle_div_r 1 x d); nra.
Qed.

Record growing (k : test_kind) : Prop := {
  g_p : (0 <= gap_num k)%Z;
  g_q : (0 < gap_den k)%Z;
  g_count : forall n, (1 <= n)%Z -> (1 <= count k n)%Z;
  g_mono : forall n m, (1 <= n <= m)%Z -> (count k n <= count k m)%Z }.

Lemma dueltest_growing : growing dueltest_kind.
Proof. constructor; cbn [gap_num gap_den count dueltest_kind]; intros; nia. Qed.
Lemma budgeted_growing g : (0 <= Qnum g)%Z -> growing (budgeted_kind g).
Proof. intro. constructor; cbn [gap_num gap_den count budgeted_kind]; intros; nia. Qed.

Lemma radius_follows k d stop : growing k -> 0 < d < 1 ->
  (forall n s, (0 < n)%nat -> stop n s =
    if Rlt_dec (sqrt (log_at k d n / (2 * INR n)) - IZR (gap_num k) / IZR (gap_den k)) (Rabs (INR s / INR n - 1/2))
    then Some (ahead n s) else None) -> follows k (bound_at k d) stop.
Proof.
  intros [Hp Hq C _] Hd Hs n s Hn. pose proof (INR_pos n Hn) as N0. apply IZR_le in Hp. apply IZR_lt in Hq.
  assert (0 <= log_at k d n) as HL by (apply log_nonneg; [exact Hd|apply IZR_le, C; lia]).
  assert (Rabs (INR s / INR n - 1/2) = IZR (Z.abs (lead_of n s)) * / (2 * INR n)) as M.
  { rewrite mean_lead, abs_IZR by exact Hn. unfold Rdiv. rewrite Rabs_mult. f_equal. apply Rabs_pos_eq. positive. }
  rewrite Hs, ahead_lead, M by exact Hn.
  assert (0 <= IZR (Z.abs (lead_of n s))) as A0 by (apply IZR_le, Z.abs_nonneg).
  cbv zeta. rewrite mult_IZR, plus_IZR, !mult_IZR, <- INR_IZR_INZ. unfold bound_at.
  set (a := IZR (Z.abs (lead_of n s))) in *. set (N := INR n) in *. set (L := log_at k d n) in *.
  set (p := IZR (gap_num k)) in *. set (q := IZR (gap_den k)) in *.
  assert (0 <= a * / (2 * N) + p / q) as R0 by positive. assert (0 <= L / (2 * N)) as Y0 by positive.
  pose proof (sqrt_lt_square _ _ Y0 R0) as E. assert (0 < 4 * (N * N) * (q * q)) as K0 by positive.
  set (K := 4 * (N * N) * (q * q)) in *.
  replace (2 * N * (q * q) * L) with (K * (L / (2 * N))) by (unfold K; field; lra).
  replace ((q * a + 2 * p * N) * (q * a + 2 * p * N))
    with (K * ((a * / (2 * N) + p / q) * (a * / (2 * N) + p / q))) by (unfold K; field; lra).
  destruct (Rlt_dec _ _) as [r|r]; (split; intro H; [|try reflexivity]); auto; exfalso.
  - assert (sqrt (L / (2 * N)) < a * / (2 * N) + p / q) as X by lra. apply E, (Rmult_lt_compat_l K) in X; lra.
  - apply Rmult_lt_reg_l in H; [|exact K0]. apply E in H. lra.
Qed.

Lemma paper_rule_follows d : 0 < d < 1 -> follows dueltest_kind (bound_at dueltest_kind d) (paper_rule d).
Proof.
  intro Hd. apply radius_follows; auto using dueltest_growing. intros n s _. unfold log_at.
  cbn [gap_num gap_den count dueltest_kind]. rewrite !mult_IZR, plus_IZR, <- INR_IZR_INZ. fold (log_term n d).
  replace (0 / 1) with 0 by field. rewrite Rminus_0_r. fold (c_radius n d).
  unfold paper_rule, ahead. pose proof (c_nonneg n d). destruct (Rlt_dec (c_radius n d) _) as [h|]; [|reflexivity].
  f_equal. destruct (Rlt_dec (1/2) _), (Rle_dec (1/2) _); auto; exfalso; [lra|].
  replace (INR s / INR n - 1/2) with 0 in h by lra. rewrite Rabs_R0 in h. lra.
Qed.

Lemma paper_budgeted_follows g d : 0 < d < 1 -> (0 <= Qnum g)%Z ->
  follows (budgeted_kind g) (bound_at (budgeted_kind g) d) (bstop paper_budgeted (Q2R g) d).
Proof.
  intros Hd Hg. apply radius_follows; auto using budgeted_growing.
  intros n s _. unfold log_at. cbn [count budgeted_kind]. now rewrite !mult_IZR, <- INR_IZR_INZ.
Qed.

(** ** Decisions are right *)

Lemma level_pos l : level_ok l -> 0 < value l < 1.
Proof.
  intros [H0 H1]. split; auto. pose proof PI_RGT_0. apply IZR_lt in H0. unfold value, Q2R. positive.
Qed.

Lemma ln_value l : (0 < Qnum (rational l))%Z ->
  ln (/ value l) =
  ln (IZR (Zpos (Qden (rational l)))) - ln (IZR (Qnum (rational l))) + INR (basel l) * ln (PI * PI / 6).
Proof.
  intro H0. pose proof PI_RGT_0. apply IZR_lt in H0. assert (0 < IZR (Zpos (Qden (rational l)))) by positive.
  assert (0 < 6 / (PI * PI)) by positive. unfold value, Q2R. rewrite ln_Rinv by positive.
  rewrite !ln_mult, ln_Rinv, ln_pow by positive.
  replace (PI * PI / 6) with (/ (6 / (PI * PI))) by (field; lra). rewrite ln_Rinv by auto. ring.
Qed.

Lemma log_inverse_encloses c l : made c -> (0 < Qnum (rational l))%Z ->
  encloses (scale c) (log_inverse c l) (ln (/ value l)).
Proof.
  intros (u & Hu & ->) H0. destruct (logarithms_enclosed u Hu) as (_ & B & Log). change (scale (constants_at u)) with u.
  rewrite ln_value, INR_IZR_INZ by auto.
  apply encloses_plus; [apply encloses_minus; apply Log; lia|]. apply encloses_times; [lia|exact B].
Qed.

Lemma made_unit c : made c -> (1 <= scale c)%Z.
Proof. intros (u & Hu & ->). exact Hu. Qed.
Lemma made_at u : (1 <= u)%Z -> made (constants_at u).
Proof. intro Hu. now exists u. Qed.

Lemma log_over_encloses c l e m : made c -> level_ok l -> (1 <= m)%Z -> encloses (scale c) e (ln (/ value l)) ->
  encloses (scale c) (plus (log_of c m) e) (ln (IZR m / value l)).
Proof.
  intros (u & Hu & ->) Hl Hm He. pose proof (level_pos l Hl). assert (0 < IZR m) by (apply IZR_lt; lia).
  unfold Rdiv. rewrite ln_mult by positive. apply encloses_plus; [now apply logarithms_enclosed|exact He].
Qed.

Section Right.
Variables (k : test_kind) (l : exact) (n : nat).
Hypothesis Hl : level_ok l.
Hypothesis Hn : (0 < n)%nat.
Hypothesis Hcount : (1 <= count k (Z.of_nat n))%Z.
Variable x : Z.

Definition right (d : decision) : Prop :=
  match d with
  | Stop => bound_at k (value l) n < IZR (x * x)
  | Go bound => IZR (x * x) <= bound_at k (value l) n /\ IZR bound <= bound_at k (value l) n
  | Open => True
  end.

Lemma decide_right c e : made c -> encloses (scale c) e (ln (/ value l)) -> right (decide k c e (Z.of_nat n) x).
Proof.
  intros Hc He. pose proof (made_unit c Hc) as U. apply IZR_le in U as UR. pose proof (level_pos l Hl) as D.
  destruct (log_over_encloses c l e (count k (Z.of_nat n)) Hc Hl Hcount He) as [A B]. fold (log_at k (value l) n) in *.
  unfold decide. set (log := plus _ _) in *.
  set (f := (2 * Z.of_nat n * (gap_den k * gap_den k))%Z).
  assert (F : IZR f = 2 * INR n * (IZR (gap_den k) * IZR (gap_den k))).
  { unfold f. rewrite !mult_IZR, <- INR_IZR_INZ. simpl. ring. }
  assert (0 <= IZR f) as F0 by (rewrite F; pose proof (pos_INR n); nra).
  assert (E : IZR (scale c) * bound_at k (value l) n = IZR f * (IZR (scale c) * log_at k (value l) n)).
  { unfold bound_at. rewrite F. ring. }
  destruct (Z.ltb_spec (f * high log) (x * x * scale c)) as [S|_];
    [|destruct (Z.leb_spec (x * x * scale c) (f * low log)) as [S|_]; [|exact Logic.I]].
  - cbn [right]. apply IZR_lt in S. rewrite !mult_IZR in *. apply Rmult_lt_reg_l with (IZR (scale c)); nra.
  - assert (G : IZR (f * low log) <= bound_at k (value l) n * IZR (scale c)) by (rewrite mult_IZR; nra).
    cbn [right]. split; [|apply div_le_real; [lia|exact G]].
    apply IZR_le in S. rewrite (mult_IZR (x * x)) in S. apply Rmult_le_reg_r with (IZR (scale c)); lra.
Qed.

Lemma settle_right fuel : forall u, (1 <= u)%Z -> right (settle k l fuel u (Z.of_nat n) x).
Proof.
  induction fuel as [|f IH]; intros u Hu; [exact Logic.I|]. cbn [settle]. cbv zeta.
  pose proof (made_at u Hu) as M. pose proof (decide_right _ _ M (log_inverse_encloses _ l M (proj1 Hl))) as R.
  destruct (decide _ _ _ _ _); auto. apply IH. nia.
Qed.

Lemma judge_right c e : made c -> encloses (scale c) e (ln (/ value l)) -> right (judge k l c e (Z.of_nat n) x).
Proof.
  intros Hc He. unfold judge. pose proof (decide_right c e Hc He) as R. pose proof (made_unit c Hc) as U.
  destruct (decide _ _ _ _ _); auto. apply settle_right. nia.
Qed.
End Right.

(** ** The duels are those of the paper's test *)

Lemma bound_mono k d n m : growing k -> 0 < d < 1 -> (0 < n <= m)%nat -> 0 <= bound_at k d n <= bound_at k d m.
Proof.
  intros [_ Q C M] Hd Hn. apply IZR_lt in Q. assert (INR n <= INR m) by (apply le_INR; lia). pose proof (pos_INR n).
  pose proof (C (Z.of_nat n) ltac:(lia)) as C1. pose proof (M (Z.of_nat n) (Z.of_nat m) ltac:(lia)) as M1.
  apply IZR_le in C1, M1. assert (0 <= log_at k d n) by now apply log_nonneg.
  assert (log_at k d n <= log_at k d m).
  { apply ln_le; [positive|]. apply Rmult_le_compat_r; [positive|lra]. }
  unfold bound_at. split; [positive|]. apply Rmult_le_compat; auto; nra.
Qed.

Lemma lead_step n s (b : bool) :
  (if b then lead_of n s + 1 else lead_of n s - 1)%Z = lead_of (S n) (b2n b + s).
Proof. unfold lead_of. destruct b; cbn [b2n]; lia. Qed.

Lemma close_does l u v o : does (close l u v o) (Ret o).
Proof. destruct o as [w|]; cbn [close]; [apply does_over; intro|]; apply does_answer. Qed.

Lemma duels_do k l u v final c e stop fin : growing k -> level_ok l -> made c ->
  encloses (scale c) e (ln (/ value l)) -> follows k (bound_at k (value l)) stop ->
  (forall n s, (0 < n)%nat -> final (lead_of n s) = pick u v (fin n s)) ->
  forall fuel n s bound, (0 < n + fuel)%nat -> (forall m, (n < m)%nat -> IZR bound <= bound_at k (value l) m) ->
  does (duels k l u v final c e fuel (Z.of_nat n) (lead_of n s) bound) (seqtest stop fin fuel n s u v).
Proof.
  intros G Hl Hc He Hs Hf. pose proof (level_pos l Hl) as D.
  induction fuel as [|f IH]; intros n s bound Hn Hb; cbn [duels seqtest].
  - rewrite Hf by lia. apply close_does.
  - apply does_duel. intro b. cbv zeta. rewrite lead_step. assert (Z.of_nat n + 1 = Z.of_nat (S n))%Z as -> by lia.
    set (s' := (b2n b + s)%nat). set (x := (gap_den k * Z.abs (lead_of (S n) s') + 2 * gap_num k * Z.of_nat (S n))%Z).
    destruct (Hs (S n) s' ltac:(lia)) as [S1 S2]. fold x in S1, S2.
    destruct (Z.leb_spec (x * x) bound) as [X|_].
    + rewrite S2; [apply IH; [lia|intros; apply Hb; lia]|].
      apply IZR_le in X. pose proof (Hb (S n) ltac:(lia)). lra.
    + pose proof (judge_right k l (S n) Hl ltac:(lia) (g_count k G (Z.of_nat (S n)) ltac:(lia)) x c e Hc He) as R.
      destruct (judge _ _ _ _ _ _) as [|bound'|]; cbn [right] in R.
      * rewrite (S1 R). unfold leader. destruct (Z.leb _ _); apply close_does.
      * destruct R as [R1 R2]. rewrite (S2 R1). apply IH; [lia|].
        intros m Hm. eapply Rle_trans; [exact R2|]. apply bound_mono; auto. lia.
      * apply does_give_up.
Qed.

Theorem run_dueltest_does : run_dueltest_does_statement.
Proof.
  intros c fuel l u v Hc Hl. pose proof (level_pos l Hl) as D. unfold run_dueltest, DT.
  destruct fuel as [|f]; [apply does_give_up|].
  apply (duels_do dueltest_kind l u v (fun _ => None) c (log_inverse c l) (paper_rule (value l)) never
    dueltest_growing Hl Hc (log_inverse_encloses c l Hc (proj1 Hl)) (paper_rule_follows _ D) (fun _ _ _ => eq_refl)
    (S f) 0 0); [lia|].
  intros. now apply (bound_mono _ _ m m dueltest_growing D).
Qed.

(** ** The budget *)

Lemma ceil_unique x z : IZR (z - 1) < x <= IZR z -> ceil x = Z.to_nat z.
Proof.
  intros [A B]. unfold ceil. f_equal. rewrite minus_IZR in A. simpl in A.
  assert (up (- x) = 1 - z)%Z as ->; [|lia]. symmetry. apply tech_up; rewrite minus_IZR; simpl; lra.
Qed.

Lemma up_div_lt a b : (0 < b)%Z -> IZR (up_div a b - 1) * IZR b < IZR a.
Proof.
  intro Hb. unfold up_div. pose proof (Z.mod_pos_bound (- a) b Hb). pose proof (Z.div_mod (- a) b ltac:(lia)).
  rewrite <- mult_IZR. apply IZR_lt. nia.
Qed.

Lemma budget_at_right b c g l m : (1 <= b)%Z -> made c -> level_ok l -> (0 < Qnum g)%Z -> budget_at b c g l = Some m ->
  m = ceil (1 / (2 * (Q2R g * Q2R g)) * ln (IZR b / value l)).
Proof.
  intros Hb Hc Hl Hg. apply IZR_le in Hb as HbR. pose proof (level_pos l Hl) as D. pose proof (made_unit c Hc) as U.
  unfold budget_at. cbv zeta.
  destruct (log_over_encloses c l _ b Hc Hl Hb (log_inverse_encloses c l Hc (proj1 Hl))) as [A B].
  set (log := plus _ _) in *.
  set (qq := (Zpos (Qden g) * Zpos (Qden g))%Z). set (pp := (2 * (Qnum g * Qnum g) * scale c)%Z).
  assert (0 < pp)%Z as P0 by (unfold pp; nia). assert (0 < qq)%Z as Q0 by (unfold qq; nia).
  destruct (Z.eqb_spec (up_div (qq * low log) pp) (up_div (qq * high log) pp)) as [E|]; [|discriminate].
  intro H. apply (f_equal (fun o => match o with Some z => z | None => m end)) in H. cbn beta iota in H. rewrite <- H.
  symmetry. apply (ceil_unique _ (up_div (qq * high log) pp)).
  apply IZR_lt in P0 as P0R. apply IZR_lt in Q0 as Q0R. apply IZR_le in U as UR.
  set (x := ln (IZR b / value l)) in *.
  assert (X : 1 / (2 * (Q2R g * Q2R g)) * x * IZR pp = IZR qq * (IZR (scale c) * x)).
  { unfold Q2R, pp, qq. rewrite !mult_IZR. simpl (IZR 2).
    apply IZR_lt in Hg. assert (0 < IZR (Zpos (Qden g))) by positive. field. lra. }
  split.
  - rewrite <- E. pose proof (up_div_lt (qq * low log) pp P0) as S. rewrite (mult_IZR qq) in S.
    apply Rmult_lt_reg_r with (IZR pp); [lra|]. rewrite X. nra.
  - apply up_div_ge_real; auto. rewrite X, mult_IZR. nra.
Qed.

Lemma budget_right fuel b g l m : (1 <= b)%Z -> level_ok l -> (0 < Qnum g)%Z ->
  forall u, (1 <= u)%Z -> budget fuel b u g l = Some m ->
  m = ceil (1 / (2 * (Q2R g * Q2R g)) * ln (IZR b / value l)).
Proof.
  intros Hb Hl Hg. induction fuel as [|f IH]; intros u Hu; cbn [budget]; [discriminate|].
  pose proof (budget_at_right b (constants_at u) g l m Hb (made_at u Hu) Hl Hg) as R.
  destruct (budget_at _ _ _); auto. apply IH. nia.
Qed.

Lemma budget_from_right b c g l m :
  (1 <= b)%Z -> made c -> level_ok l -> (0 < Qnum g)%Z -> budget_from b c g l = Some m ->
  m = ceil (1 / (2 * (Q2R g * Q2R g)) * ln (IZR b / value l)).
Proof. intros Hb (u & Hu & ->) Hl Hg. exact (budget_right 11 b g l m Hb Hl Hg u Hu). Qed.

Theorem run_budgeted_does : run_budgeted_does_statement.
Proof.
  intros c g l u v Hc Hl Hg. pose proof (level_pos l Hl) as D. unfold run_budgeted, BDT.
  pose proof (fun m => budget_from_right 4 c g l m ltac:(lia) Hc Hl Hg) as R.
  destruct (budget_from 4 c g l) as [m|]; [|apply does_give_up].
  specialize (R m eq_refl). change (m = bbudget paper_budgeted (Q2R g) (value l)) in R.
  rewrite <- R. assert (0 < m)%nat as M0.
  { rewrite R. cbn [bbudget paper_budgeted]. apply INR_lt. simpl.
    assert (0 < Q2R g) as G0 by (unfold Q2R; positive).
    pose proof (budget_real_pos (Q2R g) (value l) G0 D) as B. destruct (ceil_spec _ B). lra. }
  apply (duels_do (budgeted_kind g) l u v (leader u v) c (log_inverse c l) (bstop paper_budgeted (Q2R g) (value l))
    (fun n s => Some (bvote paper_budgeted n s)) (budgeted_growing g ltac:(lia)) Hl Hc
    (log_inverse_encloses c l Hc (proj1 Hl)) (paper_budgeted_follows g _ D ltac:(lia)))
    with (n := 0%nat) (s := 0%nat); [|lia|].
  - intros n s Hn. cbn [bvote paper_budgeted]. rewrite ahead_lead by auto. unfold leader. cbn [pick].
    destruct (Z.leb _ _); reflexivity.
  - intros. apply (bound_mono _ _ m0 m0); auto. apply budgeted_growing. lia.
Qed.
