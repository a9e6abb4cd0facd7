(** * Find, then certify: the winner under one assumption, that there is one (not in the paper)

    Stage s tries the gap g_s = 3/2^(s+3).  A finder names a champion; a screen, one short match, keeps most wrong
    ones from what follows; then the champion's certificate, on fresh duels, at level [certificate_level].  What
    is said is wrong with probability at most delta whatever the instance and the finder
    ([find_then_certify_error]).  Where there is a winner, by a margin of Delta, and the finder names it with
    probability at least 7/8 once g_s <= Delta, then the stages end, within an expected number of duels in which no
    other gap occurs ([find_then_certify_identifies]): other pairs may tie, or be as close as they like. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List Permutation.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest Limits.
From TGITE Require Import ScreenAndReplace MixtureTest LowerBound SprtTest Likelihood Certificate.
Open Scope R_scope.

(** ** The algorithm *)

Definition gap (s : nat) : R := 3 / 2 ^ (s + 3).

(** The screen: the likelihood ratio alone, within 4^(s+4) = 36/g_s^2 duels. *)
Definition screen_rule (g : R) (n s : nat) : option bool :=
  if reaches (L g) (/ 256) n s then Some true else if sinks (L g) (/ 32) n s then Some false else None.
Definition screen_budget (s : nat) : nat := 4 ^ (s + 4).

(** The certificate that is begun after [k] others: the levels add up to [delta]. *)
Definition certificate_level (delta : R) (k : nat) : R := 2 * delta / ((2 * INR k + 1) * (2 * INR k + 3)).
Definition certificate_loss (N : nat) : R := / INR ((2 * N) ^ 6).
Definition certificate_budget (N s : nat) (a : R) : nat := 4 * (N - 1) * bbudget truncated_sprt (gap s) (a / 2) + 4 ^ (s + 3).

(** A short match of the champion, the first of [pairs]. *)
Definition screen (s : nat) (pairs : list (arm * arm)) : prog (option bool) :=
  let B := screen_budget s in within B (certify (seqtest (screen_rule (gap s)) never B 0 0) (firstn 1 pairs)).
(** All of them won: the certificate that is begun after [k] others in stage [s]. *)
Definition certificate (N : nat) (delta : R) (s k : nat) (c : arm) (pairs : list (arm * arm)) : prog (option bool) :=
  let a := certificate_level delta k in let B := certificate_budget N s a in
  within B (certify (one_sided (gap s) a (certificate_loss N) B) pairs).

Section Algorithm.
(** In stage [s] the finder names a champion, and matches that it has to win (or that the others have to lose). *)
Variable find : nat -> prog (option (arm * list (arm * arm))).
Variable certificate : nat -> nat -> arm -> list (arm * arm) -> prog (option bool).

(** Stage [s], [k] certificates having been begun: whether another one was, and the certified arm, if any. *)
Definition judge (s k : nat) (found : option (arm * list (arm * arm))) : prog (bool * option arm) :=
  match found with
  | None => Ret (false, None)
  | Some (c, pairs) => bind (screen s pairs) (fun x =>
      if certified x
      then bind (certificate s k c pairs) (fun y => Ret (true, if certified y then Some c else None))
      else Ret (false, None))
  end.
Definition attempt (s k : nat) : prog (bool * option arm) := bind (find s) (judge s k).

(** At most so many stages, from stage [s] on. *)
Fixpoint stages (n s k : nat) : prog (option arm) :=
  match n with
  | O => Ret None
  | S n' => bind (attempt s k) (fun r => match r with
      | (_, Some c) => Ret (Some c)
      | (begun, None) => stages n' (S s) (if begun then S k else k)
      end)
  end.
End Algorithm.

Definition find_then_certify find (N : nat) (delta : R) (n : nat) : prog (option arm) := stages find (certificate N delta) n 0 0.

(** ** Where a winner is known to exist

    Every arm [v] may lose instead to the arm [u] that threw it out of the knockout, on the gap of the stage before,
    or else to the champion [c], at half of the level each. *)
Definition bold_rule (s : nat) (a : R) (n x : nat) : option bool :=
  if reaches (L (gap (pred s))) a n x then Some true else if sinks (L (gap (pred s))) (/ 8) n x then Some false else None.
Definition bold_budget (s : nat) (a : R) : nat := bbudget truncated_sprt (gap s) a.
Definition either (N s : nat) (a : R) (horizon : nat) (c u v : arm) : prog (option arm) :=
  let own := one_sided (gap s) a (certificate_loss N) horizon c v in
  if Nat.eqb u c then own
  else bind (seqtest (bold_rule s a) never (bold_budget s a) 0 0 u v) (fun o =>
         if is_arm u o then Ret (Some u) else obind own (fun x => Ret (Some (if Nat.eqb x c then u else v)))).
Definition certificate_of_winner (N : nat) (delta : R) (s k : nat) (c : arm) (pairs : list (arm * arm)) : prog (option bool) :=
  let a := certificate_level delta k / 2 in
  let B := (certificate_budget N s a + (N - 1) * bold_budget s a)%nat in
  within B (certify (either N s a B c) pairs).
Definition find_then_certify_winner find (N : nat) (delta : R) (n : nat) : prog (option arm) :=
  stages find (certificate_of_winner N delta) n 0 0.

(** ** Right, with no assumption *)

Definition beats_all (P : arm -> arm -> R) (N : nat) (c : arm) : bool :=
  forallb (fun j => Nat.eqb j c || if Rlt_dec (1/2) (P c j) then true else false) (seq 0 N).

Definition wrongly_returned (P : arm -> arm -> R) (N : nat) (o : option arm) : bool :=
  match o with Some c => negb (beats_all P N c) | None => false end.

(** The champion's own certificate: a match against every other arm. *)
Definition own_matches (N : nat) (found : option (arm * list (arm * arm))) : Prop :=
  match found with
  | None => True
  | Some (c, pairs) => (c < N)%nat /\ exists order, pairs = against c order /\ length order = (N - 1)%nat /\
                         forall j, In j order <-> (j < N)%nat /\ j <> c
  end.
(** Every other arm has somebody to lose to. *)
Definition conquered (N : nat) (found : option (arm * list (arm * arm))) : Prop :=
  match found with
  | None => True
  | Some (c, pairs) => (c < N)%nat /\ forall j, (j < N)%nat -> j <> c -> exists u, (u < N)%nat /\ u <> j /\ In (u, j) pairs
  end.

(** Whatever finds, and whatever certifies: if no certificate errs by more than its level, all of them together do not
    by more than [delta]. *)
Definition stages_error_statement : Prop := forall P find certificate (bad : arm -> bool) delta n,
  (forall u v, 0 <= P u v <= 1) -> 0 < delta < 1 ->
  (forall s, leaves (fun found => match found with
     | None => True
     | Some (c, pairs) => bad c = true -> forall k, Pr P (certificate s k c pairs) certified <= certificate_level delta k
     end) (find s)) ->
  Pr P (stages find certificate n 0 0) (fun o => match o with Some c => bad c | None => false end) <= delta.

(** An arm that does not beat every other one is returned with probability at most [delta]: whatever the
    preferences (ties, cycles, no winner), the finder, and the number of stages. *)
Definition find_then_certify_error_statement : Prop := forall P N find delta n,
  valid P -> 0 < delta < 1 -> (forall s, leaves (own_matches N) (find s)) ->
  Pr P (find_then_certify find N delta n) (wrongly_returned P N) <= delta.

(** Where there is a winner, [find_then_certify_winner] returns an arm that is not it with probability at most [delta]. *)
Definition find_then_certify_winner_error_statement : Prop := forall P N w find delta n,
  valid P -> 0 < delta < 1 -> (w < N)%nat -> (forall j, (j < N)%nat -> j <> w -> 1/2 < P w j) ->
  (forall s, leaves (conquered N) (find s)) ->
  Pr P (find_then_certify_winner find N delta n) (wrong w) <= delta.

(** ** Where there is a winner *)

Definition found (w : arm) (o : option (arm * list (arm * arm))) : bool := match o with Some (c, _) => Nat.eqb c w | None => false end.

(** What is asked of a finder: in every stage a champion with its own matches, for few duels; and the winner, with
    probability at least 7/8, once the gap that is tried is not above [Delta]. *)
Definition C_find : R := 241/100.
Definition finds (P : arm -> arm -> R) (N : nat) (w : arm) (Delta : R) (find : nat -> prog (option (arm * list (arm * arm)))) : Prop :=
  (forall s, leaves (own_matches N) (find s)) /\
  (forall s, starts (find s)) /\
  (forall s, ET P (find s) <= C_find * INR (N - 1) / (gap s * gap s)) /\
  (forall s, gap s <= Delta -> 7/8 <= Pr P (find s) (found w)).

(** A knockout whose matches are the truncated test's, told the gap that is tried, at level 1/8; then the champion
    against all others. *)
Definition knockout {cv : conventions} (N s : nat) : prog (option (arm * list (arm * arm))) :=
  bind (BKT (BDT truncated_sprt (gap s)) (seq 0 N) (1/8)) (fun o =>
    Ret (match o with Some c => Some (c, against c (others N c)) | None => None end)).
Definition knockout_finds_statement : Prop := forall (cv : conventions) P N w Delta,
  condorcet P N w Delta -> (2 <= N)%nat -> finds P N w Delta (knockout N).

(** The number of duels: no other gap than the winner's in it. *)
Definition C_level : R := 35/3.
Definition C_loglog : R := 70/3.
Definition C_arm : R := 92.
Definition C_once : R := 165.
Definition find_then_certify_duels (N : nat) (Delta delta : R) : R :=
  (INR (N - 1) * (C_level * ln (/ delta) + C_loglog * ln (ln (/ Delta) + 1) + C_arm) + C_once) / (Delta * Delta).

(** [condorcet P N w Delta]: [w] beats every other arm by [Delta] at least; all else is free, ties included.
    The stages end with probability 1, in the limit of many; the answer is [w] with probability at least [1 - delta]. *)
Definition find_then_certify_identifies_statement : Prop := forall P N w Delta find delta,
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> 0 < delta < 1 -> finds P N w Delta find ->
  identifies P w (find_then_certify find N delta) delta (find_then_certify_duels N Delta delta).

(** The whole, with the knockout: right under no assumption, and under one it ends. *)
Definition find_then_certify_knockout_statement : Prop := forall (cv : conventions) P N delta,
  valid P -> (2 <= N)%nat -> 0 < delta < 1 -> let run := find_then_certify (knockout N) N delta in
  (forall n, Pr P (run n) (wrongly_returned P N) <= delta) /\
  (forall w Delta, condorcet P N w Delta -> 0 < Delta <= 1/2 -> identifies P w run delta (find_then_certify_duels N Delta delta)).

(** * Proofs *)

(** ** Errors *)

Lemma gap_range s : 0 < gap s < 1/2.
Proof.
  unfold gap. rewrite pow_add. pose proof (pow_R1_Rle 2 s ltac:(lra)) as H. split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_reg_r with (2 ^ s * 2 ^ 3); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma level_range delta k : 0 < delta < 1 -> 0 < certificate_level delta k <= 2 / 3 * delta.
Proof.
  intro Hd. unfold certificate_level. pose proof (pos_INR k) as K. assert (3 <= (2 * INR k + 1) * (2 * INR k + 3)) as D by nra.
  split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with ((2 * INR k + 1) * (2 * INR k + 3)); [lra|].
  unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. nra.
Qed.

(** What the certificates from the [k]th on may still spend. *)
Definition left_over (delta : R) (k : nat) : R := delta / (2 * INR k + 1).
Lemma left_over_step delta k : certificate_level delta k + left_over delta (S k) = left_over delta k.
Proof. unfold certificate_level, left_over. rewrite S_INR. pose proof (pos_INR k). field. lra. Qed.
Lemma left_over_nonneg delta k : 0 < delta < 1 -> 0 <= left_over delta k.
Proof. intro H. unfold left_over. pose proof (pos_INR k). left. apply Rdiv_lt_0_compat; lra. Qed.

Theorem stages_error : stages_error_statement.
Proof.
  intros P find cert bad delta n P01 Hd Hf. set (says_bad := fun o => match o with Some c => bad c | None => false end).
  assert (K : forall n s k, Pr P (stages find cert n s k) says_bad <= left_over delta k).
  2:{ eapply Rle_trans; [apply K|]. unfold left_over. cbn. right. field. }
  clear n. induction n as [|n IH]; intros s k; pose proof (left_over_nonneg delta k Hd) as L0.
  { unfold Pr. cbn. exact L0. }
  pose proof (left_over_nonneg delta (S k) Hd) as L1. pose proof (left_over_step delta k) as Step.
  pose proof (level_range delta k Hd) as A. cbn [stages]. unfold Pr. rewrite E_bind.
  set (after := fun r : bool * option arm => match r with (_, Some c) => if bad c then 1 else 0
                  | (true, None) => left_over delta (S k) | (false, None) => left_over delta k end).
  apply Rle_trans with (E P (attempt find cert s k) after).
  { apply E_mono; auto. intros [begun [c|]]; [destruct begun; cbn; apply Rle_refl|]. unfold after. specialize (IH (S s)). unfold Pr in IH.
    destruct begun; apply IH. }
  unfold attempt. rewrite E_bind. rewrite <- (E_const P (find s) (left_over delta k)).
  eapply (E_mono_leaves P P01); [apply Hf|]. intros [[c pairs]|] Hbad; [|cbn; lra].
  cbn [judge]. rewrite E_bind. rewrite <- (E_const P (screen s pairs) (left_over delta k)). apply E_mono; auto.
  intro x. destruct (certified x); [|cbn; lra]. rewrite E_bind.
  apply Rle_trans with (E P (cert s k c pairs) (fun y => (if bad c then 1 else 0) * (if certified y then 1 else 0) + left_over delta (S k))).
  - apply E_mono; auto. intro y. cbn [E after]. destruct (certified y); destruct (bad c); lra.
  - rewrite E_plus, E_const, E_scal. fold (Pr P (cert s k c pairs) certified).
    destruct (bad c) eqn:B; [|lra]. specialize (Hbad eq_refl k). lra.
Qed.

Lemma one_sided_wrong P g a e F u v : valid P -> 0 < g < 1/2 -> 0 < a -> u <> v -> P u v <= 1/2 -> Pr P (one_sided g a e F u v) (is_arm u) <= a.
Proof.
  intros HP Hg Ha Huv Hp. destruct (match_rule_admissible g a e Hg) as (_ & EV & Rule). eapply one_sided_error; eauto.
Qed.

Lemma certificate_wrong P N delta s k c u v pairs : valid P -> 0 < delta < 1 -> u <> v -> P u v <= 1/2 -> In (u, v) pairs ->
  Pr P (certificate N delta s k c pairs) certified <= certificate_level delta k.
Proof.
  intros HP Hd Huv Hp Hin. pose proof (valid_01 P HP) as P01. destruct (level_range delta k Hd) as [A0 A1]. unfold certificate. cbv zeta.
  eapply Rle_trans; [apply within_Pr; auto|]. apply certify_error with (u := u) (v := v); auto; [lra|].
  apply one_sided_wrong; auto using gap_range.
Qed.

Theorem find_then_certify_error : find_then_certify_error_statement.
Proof.
  intros P N find delta n HP Hd Hf. pose proof (valid_01 P HP) as P01.
  apply (stages_error P find (certificate N delta) (fun c => negb (beats_all P N c)) delta n P01 Hd).
  intro s. eapply leaves_impl; [apply Hf|]. intros [[c pairs]|]; [|auto]. intros (Hc & order & -> & _ & Hin) Hb k.
  apply negb_true_iff in Hb. unfold beats_all in Hb.
  assert (exists j, In j (seq 0 N) /\ (Nat.eqb j c || if Rlt_dec (1/2) (P c j) then true else false) = false) as (j & Hj & Hbj).
  { clear - Hb. induction (seq 0 N) as [|x l IH]; cbn in Hb; [discriminate|].
    destruct (Nat.eqb x c || _) eqn:C; [|exists x; split; [left; reflexivity|exact C]].
    destruct (IH Hb) as (j & A & B). exists j. split; [right; exact A|exact B]. }
  apply in_seq in Hj. apply orb_false_iff in Hbj. destruct Hbj as [Ne Lt]. apply Nat.eqb_neq in Ne.
  destruct (Rlt_dec (1/2) (P c j)); [discriminate|].
  apply (certificate_wrong P N delta s k c c j); auto; [lra|]. apply in_map_iff. exists j. split; [reflexivity|]. apply Hin. split; [lia|exact Ne].
Qed.

(** The winner loses to neither, at half of the level each. *)
Lemma either_wrong P N s a F c u w : valid P -> 0 < a -> P c w <= 1/2 -> c <> w -> u <> w -> P u w <= 1/2 ->
  Pr P (either N s a F c u w) (is_arm u) <= a + a.
Proof.
  intros HP Ha Hc Hcw Huw Hp. pose proof (valid_01 P HP) as P01.
  assert (Pr P (one_sided (gap s) a (certificate_loss N) F c w) (is_arm c) <= a) as Own by (apply one_sided_wrong; auto using gap_range).
  unfold either. destruct (Nat.eqb_spec u c) as [->|Huc]; [lra|].
  assert (Pr P (seqtest (bold_rule s a) never (bold_budget s a) 0 0 u w) (is_arm u) <= a) as Bold.
  { apply (one_sided_error (L (gap (pred s)))); auto.
    - apply likelihood_is_evidence. pose proof (gap_range (pred s)). lra.
    - intros n x _. unfold bold_rule. destruct (reaches _ _ _ _); [reflexivity|]. destruct (sinks _ _ _ _); discriminate. }
  unfold Pr. rewrite E_bind.
  apply Rle_trans with (E P (seqtest (bold_rule s a) never (bold_budget s a) 0 0 u w) (fun o => (if is_arm u o then 1 else 0) + a)).
  - apply E_mono; auto. intro o. destruct (is_arm u o); [cbn; rewrite Nat.eqb_refl; lra|].
    unfold obind. rewrite E_bind. eapply Rle_trans; [|apply Rle_trans with (1 := Own); lra].
    apply E_mono; auto. intros [x|]; cbn; [|lra]. destruct (Nat.eqb_spec x c) as [->|]; cbn.
    + rewrite Nat.eqb_refl. lra.
    + destruct (Nat.eqb_spec w u); [congruence|lra].
  - rewrite E_plus, E_const. apply Rplus_le_compat_r, Bold.
Qed.

Theorem find_then_certify_winner_error : find_then_certify_winner_error_statement.
Proof.
  intros P N w find delta n HP Hd Hw Win Hf. pose proof (valid_01 P HP) as P01. pose proof HP as [_ PA].
  assert (Loses : forall u, (u < N)%nat -> u <> w -> P u w <= 1/2) by (intros u Hu Huw; specialize (Win u Hu Huw); rewrite PA; lra).
  eapply Rle_trans; [|apply (stages_error P find (certificate_of_winner N delta) (fun c => negb (Nat.eqb c w)) delta n P01 Hd)].
  { right. apply E_ext. intros [c|]; reflexivity. }
  intro s. eapply leaves_impl; [apply Hf|]. intros [[c pairs]|]; [|auto]. intros [Hc H] Hb k.
  apply negb_true_iff, Nat.eqb_neq in Hb. destruct (H w Hw ltac:(congruence)) as (u & Hu & Huw & Hin).
  destruct (level_range delta k Hd) as [A0 A1]. unfold certificate_of_winner. cbv zeta.
  eapply Rle_trans; [apply within_Pr; auto|]. apply certify_error with (u := u) (v := w); auto; [lra|].
  eapply Rle_trans; [apply either_wrong; auto; lra|lra].
Qed.

(** ** Numbers *)

Lemma exp_pow x n : exp (INR n * x) = exp x ^ n.
Proof. induction n as [|n IH]; [cbn; rewrite Rmult_0_l; apply exp_0|]. rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l. cbn [pow]. ring. Qed.

Lemma e_inv : exp (- (1)) <= 10/27.
Proof.
  rewrite exp_Ropp. replace (10/27) with (/ (27/10)) by field. apply Rinv_le_contravar; [lra|].
  pose proof (exp_ineq1_le (1/128)) as H.
  replace (exp 1) with (((exp (1/128) ^ 4) ^ 4) ^ 8).
  2:{ rewrite <- !pow_mult, <- exp_pow. f_equal. rewrite INR_IZR_INZ. cbn. field. }
  assert (1031618/1000000 <= exp (1/128) ^ 4) as A.
  { apply Rle_trans with ((1 + 1/128) ^ 4); [lra|]. apply pow_incr. lra. }
  assert (113259/100000 <= (exp (1/128) ^ 4) ^ 4) as B.
  { apply Rle_trans with ((1031618/1000000) ^ 4); [lra|]. apply pow_incr. lra. }
  apply Rle_trans with ((113259/100000) ^ 8); [lra|]. apply pow_incr. lra.
Qed.

Lemma exp_minus n : exp (- INR n) <= (10/27) ^ n.
Proof.
  replace (- INR n) with (INR n * - (1)) by ring. rewrite exp_pow. apply pow_incr. split; [left; apply exp_pos|apply e_inv].
Qed.

(** 1/g_s^2 *)
Definition scale (s : nat) : R := 4 ^ (s + 3) / 9.
Lemma scale_gap s : scale s * (gap s * gap s) = 1.
Proof.
  unfold scale, gap. replace 4 with (2 * 2) by ring. rewrite Rpow_mult_distr. pose proof (pow_lt 2 (s + 3) ltac:(lra)). field. lra.
Qed.
Lemma scale_pos s : 64/9 <= scale s.
Proof. unfold scale. rewrite pow_add. pose proof (pow_R1_Rle 4 s ltac:(lra)). lra. Qed.
Lemma scale_inv s : / (gap s * gap s) = scale s.
Proof. pose proof (scale_gap s). pose proof (gap_range s). field_simplify_eq; nra. Qed.
Lemma scale_S s : scale (S s) = 4 * scale s.
Proof. unfold scale. replace (S s + 3)%nat with (S (s + 3)) by lia. cbn [pow]. field. Qed.
Lemma gap_S s : gap (S s) = gap s / 2.
Proof. unfold gap. replace (S s + 3)%nat with (S (s + 3)) by lia. cbn [pow]. pose proof (pow_lt 2 (s + 3) ltac:(lra)). field. lra. Qed.
Lemma gap_le s t : (s <= t)%nat -> gap t <= gap s.
Proof. induction 1 as [|t _ IH]; [lra|]. rewrite gap_S. pose proof (gap_range t). lra. Qed.

Lemma INR_pow4 n : INR (4 ^ n) = 4 ^ n.
Proof. rewrite pow_INR. f_equal. simpl. lra. Qed.

Lemma ln_4_level delta k : 0 < delta < 1 ->
  ln (4 / certificate_level delta k) <= ln (/ delta) + 3 * ln 2 + 2 * ln (INR k + 1) /\ 2 * ln 2 <= ln (4 / certificate_level delta k).
Proof.
  intro Hd. pose proof (pos_INR k) as K. destruct (level_range delta k Hd) as [A0 A1].
  assert (0 < / delta) by (apply Rinv_0_lt_compat; lra).
  replace (2 * ln 2) with (ln (2 * 2)) by (rewrite ln_mult; lra).
  replace (3 * ln 2) with (ln (2 * (2 * 2))) by (rewrite !ln_mult; lra).
  replace (2 * ln (INR k + 1)) with (ln ((INR k + 1) * (INR k + 1))) by (rewrite ln_mult; lra).
  rewrite <- !ln_mult by nra. split; apply ln_le.
  - apply Rdiv_lt_0_compat; lra.
  - unfold certificate_level.
    replace (4 / (2 * delta / ((2 * INR k + 1) * (2 * INR k + 3)))) with (/ delta * (2 * ((2 * INR k + 1) * (2 * INR k + 3)))) by (field; nra).
    rewrite Rmult_assoc. apply Rmult_le_compat_l; nra.
  - lra.
  - apply Rmult_le_reg_r with (certificate_level delta k); [exact A0|].
    replace (4 / certificate_level delta k * certificate_level delta k) with 4 by (field; lra). lra.
Qed.

(** The budget of a certificate, from below and above. *)
Lemma budget_range N s a : 0 < a < 1 -> let B := INR (certificate_budget N s a) in
  INR (N - 1) * (2 * scale s * ln (4 / a)) + 9 * scale s <= B /\
  B <= INR (N - 1) * (2 * scale s * ln (4 / a) + 4) + 9 * scale s.
Proof.
  intros Ha B. unfold B, certificate_budget. rewrite plus_INR, !mult_INR, INR_pow4. replace (INR 4) with 4 by (simpl; lra).
  pose proof (gap_range s) as Hg. pose proof (scale_gap s) as SG. pose proof (pos_INR (N - 1)) as M.
  set (x := 1 / (2 * (gap s * gap s)) * ln (2 / (a / 2))).
  assert (x = scale s / 2 * ln (4 / a)) as X.
  { unfold x. rewrite <- scale_inv. replace (2 / (a / 2)) with (4 / a) by (field; lra). field. lra. }
  assert (0 < ln (4 / a)) as L0.
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with a; [lra|]. replace (4 / a * a) with 4 by (field; lra). lra. }
  pose proof (scale_pos s) as S0. assert (0 < x) as X0 by (rewrite X; apply Rmult_lt_0_compat; lra).
  destruct (ceil_spec x X0) as [C1 C2]. assert (4 ^ (s + 3) = 9 * scale s) as -> by (unfold scale; field).
  change (bbudget truncated_sprt (gap s) (a / 2)) with (ceil x). set (c := INR (ceil x)) in *. clearbody x.
  assert (INR (N - 1) * (scale s / 2 * ln (4 / a)) <= INR (N - 1) * c) by (apply Rmult_le_compat_l; lra).
  assert (INR (N - 1) * c <= INR (N - 1) * (scale s / 2 * ln (4 / a) + 1)) by (apply Rmult_le_compat_l; lra).
  split; lra.
Qed.

(** ** A stage *)

Section Stage.
Variable P : arm -> arm -> R.
Hypothesis HP : valid P.
Variable find : nat -> prog (option (arm * list (arm * arm))).
Variables (N : nat) (w : arm) (Delta delta : R).
Hypothesis HN : (2 <= N)%nat.
Hypothesis Hd : 0 < delta < 1.
Hypothesis Win : forall j, (j < N)%nat -> j <> w -> 1/2 + Delta <= P w j.
Hypothesis Hf : finds P N w Delta find.

Let P01 := valid_01 P HP.
Let M := INR (N - 1).
Let lam := ln (/ delta).

Lemma M_ge1 : 1 <= M.
Proof. unfold M. apply (le_INR 1). lia. Qed.
Lemma lam_pos : 0 < lam.
Proof. apply ln_inv_pos. exact Hd. Qed.

Lemma screen_admissible g : complete_rule g (/ 256) (/ 32) (screen_rule g).
Proof.
  intros n s _. unfold screen_rule. split; [destruct (reaches _ _ _ _); [discriminate|reflexivity]|].
  destruct (reaches _ _ _ _); [discriminate|]. destruct (sinks _ _ _ _); [reflexivity|discriminate].
Qed.

(** The winner's own matches. *)
Definition own (pairs : list (arm * arm)) : Prop := length pairs = (N - 1)%nat /\ forall u v, In (u, v) pairs -> u <> v /\ 1/2 + Delta <= P u v.
Lemma own_of order : length order = (N - 1)%nat -> (forall j, In j order <-> (j < N)%nat /\ j <> w) -> own (against w order).
Proof.
  intros HL HI. split; [unfold against; now rewrite map_length|]. intros u v Hin. apply in_map_iff in Hin.
  destruct Hin as (j & [= <- <-] & Hj). apply HI in Hj. destruct Hj. split; [congruence|now apply Win].
Qed.

Lemma screen_right s pairs : gap s <= Delta -> own pairs ->
  1 - (/ 32 + (10/27) ^ 14) <= Pr P (screen s pairs) certified /\ ET P (screen s pairs) <= 31232/10000 * scale s.
Proof.
  intros Hs [_ Ho]. pose proof (gap_range s) as Hg. pose proof ln2_le as L2. pose proof (scale_gap s) as SG. pose proof (scale_pos s) as S0.
  set (few := firstn 1 pairs). assert (INR (length few) <= 1) as Len by (apply (le_INR _ 1); apply firstn_le_length).
  pose proof (pos_INR (length few)) as Len0.
  destruct (certificate_complete P (gap s) (/ 256) (/ 32) (screen_rule (gap s)) (screen_budget s) (screen_budget s) few) as [A B]; auto; try lra.
  { apply screen_admissible. }
  { intros u v Hin. destruct (Ho u v) as [X Y]; [|split; [exact X|lra]]. unfold few in Hin. destruct pairs as [|p l]; [destruct Hin|].
    cbn in Hin. destruct Hin as [->|[]]. left; reflexivity. }
  assert (ln (1 + 2 * gap s) <= ln 2) as LG by (apply ln_le; lra).
  assert (ln 256 = 8 * ln 2) as L256 by (replace 256 with (2 ^ 8) by ring; rewrite ln_pow by lra; simpl (INR 8); ring).
  split.
  - eapply Rle_trans; [|exact A]. apply Rplus_le_compat_l, Ropp_le_contravar, Rplus_le_compat; [lra|].
    eapply Rle_trans; [|apply (exp_minus 14)].
    assert (INR (screen_budget s) * (gap s * gap s / 2) = 18) as ->.
    { unfold screen_budget. rewrite INR_pow4. replace (s + 4)%nat with (S (s + 3)) by lia. cbn [pow]. unfold scale in SG. lra. }
    replace ((1 + 2 * gap s) / / 256) with ((1 + 2 * gap s) * 256) by field. rewrite ln_mult by lra.
    assert (forall x y, x <= y -> exp x <= exp y) as EI by (intros x y [H|H]; [left; now apply exp_increasing|rewrite H; apply Rle_refl]).
    apply EI. simpl (INR 14). nra.
  - eapply Rle_trans; [apply refines_ET; [exact P01|apply within_refines]|]. eapply Rle_trans; [exact B|].
    unfold L_time. rewrite Rinv_inv. rewrite L256.
    replace ((8 * ln 2 + ln (1 + 2 * gap s)) / (2 * (gap s * gap s))) with ((8 * ln 2 + ln (1 + 2 * gap s)) / 2 * scale s)
      by (rewrite <- scale_inv; field; lra).
    assert (0 <= ln (1 + 2 * gap s)) by (rewrite <- ln_1; apply ln_le; lra). pose proof ln2_ge.
    apply Rle_trans with (1 * ((8 * ln 2 + ln (1 + 2 * gap s)) / 2 * scale s)).
    + apply Rmult_le_compat_r; [|exact Len]. apply Rmult_le_pos; lra.
    + rewrite Rmult_1_l. apply Rmult_le_compat_r; lra.
Qed.

Lemma certificate_right s k c pairs : gap s <= Delta -> own pairs ->
  1 - (/ 4096 + (10/27) ^ 5) <= Pr P (certificate N delta s k c pairs) certified /\
  ET P (certificate N delta s k c pairs) <= M * (lam / 2 + 1041/1000 + ln (INR k + 1)) * scale s.
Proof.
  intros Hs [HL Ho]. pose proof (gap_range s) as Hg. pose proof ln2_le as L2. pose proof ln2_ge as L2'. pose proof (scale_gap s) as SG. pose proof (scale_pos s) as S0.
  pose proof M_ge1 as M1. set (a := certificate_level delta k). destruct (level_range delta k Hd) as [A0 A1]. fold a in A0, A1.
  destruct (ln_4_level delta k Hd) as [U Low]. fold a lam in U, Low. destruct (budget_range N s a ltac:(lra)) as [BL _]. fold M in BL.
  destruct (match_rule_admissible (gap s) a (certificate_loss N) Hg) as (Rule & _ & _).
  assert (0 < INR ((2 * N) ^ 6)) as NP by (apply INR_pos; apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
  assert (0 <= certificate_loss N) as E0 by (left; now apply Rinv_0_lt_compat).
  unfold certificate. fold a. cbv zeta. set (B := certificate_budget N s a) in *.
  destruct (certificate_complete P (gap s) (a / 2) (certificate_loss N) (match_rule (gap s) a (certificate_loss N)) B B pairs) as [C T]; auto; try lra.
  { intros u v Hin. destruct (Ho u v Hin) as [X Y]. split; [exact X|lra]. }
  rewrite HL in C, T. fold M in C, T.
  assert (0 < 4 / a) as A4 by (apply Rdiv_lt_0_compat; lra).
  assert (ln ((1 + 2 * gap s) / (a / 2)) <= ln (4 / a)) as LA.
  { apply ln_le; [apply Rdiv_lt_0_compat; lra|]. replace ((1 + 2 * gap s) / (a / 2)) with ((1 + 2 * gap s) / 2 * (4 / a)) by (field; lra). nra. }
  split.
  - eapply Rle_trans; [|exact C]. apply Rplus_le_compat_l, Ropp_le_contravar, Rplus_le_compat.
    + unfold certificate_loss. apply Rmult_le_reg_r with (INR ((2 * N) ^ 6)); [exact NP|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      rewrite pow_INR, mult_INR. unfold M. rewrite minus_INR by lia. simpl (INR 2). simpl (INR 1).
      assert (2 <= INR N) as N2 by (apply (le_INR 2); lia). set (x := INR N) in *.
      replace (/ 4096 * ((1 + 1) * x) ^ 6) with (/ 64 * ((x * x) * ((x * x) * (x * x)))) by field.
      assert (4 * (x - 1) <= x * x) by nra. assert (16 <= (x * x) * (x * x)) by nra. nra.
    + eapply Rle_trans; [|apply (exp_minus 5)].
      assert (forall x y, x <= y -> exp x <= exp y) as EI by (intros x y [H|H]; [left; now apply exp_increasing|rewrite H; apply Rle_refl]).
      apply EI. simpl (INR 5).
      assert ((M * (2 * scale s * ln (4 / a)) + 9 * scale s) * (gap s * gap s / 2) <= INR B * (gap s * gap s / 2)) as Q by (apply Rmult_le_compat_r; nra).
      replace ((M * (2 * scale s * ln (4 / a)) + 9 * scale s) * (gap s * gap s / 2))
        with ((M * ln (4 / a) + 9 / 2) * (scale s * (gap s * gap s))) in Q by field. rewrite SG in Q.
      assert (M * (ln ((1 + 2 * gap s) / (a / 2)) / 2) <= M * (ln (4 / a) / 2)) by (apply Rmult_le_compat_l; lra).
      assert (1 * (2 * ln 2) <= M * ln (4 / a)) by (apply Rmult_le_compat; lra). lra.
  - eapply Rle_trans; [apply refines_ET; [exact P01|apply within_refines]|]. eapply Rle_trans; [exact T|].
    rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. unfold L_time.
    rewrite <- ln_mult by (try apply Rinv_0_lt_compat; lra). replace (/ (a / 2) * (1 + 2 * gap s)) with ((1 + 2 * gap s) / (a / 2)) by (field; lra).
    replace (ln ((1 + 2 * gap s) / (a / 2)) / (2 * (gap s * gap s))) with (ln ((1 + 2 * gap s) / (a / 2)) / 2 * scale s)
      by (rewrite <- scale_inv; field; lra).
    apply Rmult_le_compat_r; lra.
Qed.

Lemma own_leaf o : own_matches N o -> found w o = true -> exists pairs, o = Some (w, pairs) /\ own pairs.
Proof.
  destruct o as [[c pairs]|]; [|discriminate]. intros (_ & order & -> & HL & HI) Hw. cbn in Hw. apply Nat.eqb_eq in Hw. subst c.
  exists (against w order). split; [reflexivity|]. now apply own_of.
Qed.

(** Nobody was certified. *)
Definition failed (r : bool * option arm) : bool := match r with (_, Some _) => false | _ => true end.

Lemma Pr_not {T A} (m : program T A) (ev : A -> bool) : E P m (fun a => if ev a then 0 else 1) = 1 - Pr P m ev.
Proof.
  unfold Pr. induction m as [a|t u v k IH]; cbn [E]; [destruct (ev a); lra|]. rewrite !IH. ring.
Qed.

Lemma attempt_right s k : gap s <= Delta -> Pr P (attempt find (certificate N delta) s k) failed <= 1/6.
Proof.
  intro Hs. destruct Hf as (Leaf & _ & _ & Right). specialize (Right s Hs).
  set (q := / 32 + (10/27) ^ 14 + (/ 4096 + (10/27) ^ 5)). assert (q <= 1/6 - 1/8) as Hq by (unfold q; lra).
  unfold attempt, Pr. rewrite E_bind.
  apply Rle_trans with (E P (find s) (fun o => (if found w o then 0 else 1) + q)).
  2:{ rewrite E_plus, E_const, Pr_not. lra. }
  eapply (E_mono_leaves P P01); [apply Leaf|]. intros o Ho. assert (0 <= q) as Q0 by (unfold q; lra). destruct (found w o) eqn:Fo.
  - destruct (own_leaf o Ho Fo) as (pairs & -> & Own). cbn [judge]. rewrite E_bind.
    destruct (screen_right s pairs Hs Own) as [SR _]. destruct (certificate_right s k w pairs Hs Own) as [CR _].
    apply Rle_trans with (E P (screen s pairs) (fun x => (if certified x then 0 else 1) + (/ 4096 + (10/27) ^ 5))).
    2:{ rewrite E_plus, E_const, Pr_not. unfold q. lra. }
    apply E_mono; auto. intro x. destruct (certified x); [|cbn; lra]. rewrite E_bind.
    apply Rle_trans with (E P (certificate N delta s k w pairs) (fun y => if certified y then 0 else 1)).
    + apply E_mono; auto. intro y. cbn. destruct (certified y); lra.
    + rewrite Pr_not. lra.
  - apply Rle_trans with 1; [|lra]. destruct o as [[c pairs]|]; [|cbn; lra].
    apply (Pr_le1 P P01 _ failed).
Qed.

(** What a stage costs: at most, and once the gap is reached. *)
Definition stage_at_most (s : nat) : R := scale s * (M * (2 * lam + 4 * ln (INR s + 1) + 714/100) + 45).
Definition typical (s : nat) : R := scale s * (M * (75/100 * lam + 15/10 * ln (INR s + 1) + 405/100) + 875/100).

Lemma ln_S_nonneg n : 0 <= ln (INR n + 1).
Proof. rewrite <- ln_1. apply ln_le; [lra|]. pose proof (pos_INR n). lra. Qed.
Lemma ln_S_mono k s : (k <= s)%nat -> ln (INR k + 1) <= ln (INR s + 1).
Proof. intro H. apply le_INR in H. pose proof (pos_INR k). apply ln_le; lra. Qed.

Lemma attempt_cost_gen s k C : 0 <= C ->
  (forall o, own_matches N o -> ET P (judge (certificate N delta) s k o) <= (if found w o then C else C + scale s * (M * (2 * lam + 4 * ln (INR s + 1) + 473/100) + 45))) ->
  forall b, 1 - b <= Pr P (find s) (found w) -> 
  ET P (attempt find (certificate N delta) s k) <= scale s * M * C_find + C + b * (scale s * (M * (2 * lam + 4 * ln (INR s + 1) + 473/100) + 45)).
Proof.
  intros HC H b Hb. destruct Hf as (Leaf & _ & Cost & _). specialize (Cost s). unfold attempt. rewrite ET_bind.
  assert (C_find * INR (N - 1) / (gap s * gap s) = scale s * M * C_find) as Eq.
  { unfold Rdiv. rewrite scale_inv. unfold M. ring. }
  rewrite Eq in Cost. rewrite Rplus_assoc. apply Rplus_le_compat; [exact Cost|].
  set (X := scale s * (M * (2 * lam + 4 * ln (INR s + 1) + 473/100) + 45)) in *.
  assert (0 <= X) as X0.
  { unfold X. pose proof (scale_pos s). pose proof M_ge1. pose proof lam_pos. pose proof (ln_S_nonneg s).
    apply Rmult_le_pos; [lra|]. assert (0 <= M * (2 * lam + 4 * ln (INR s + 1) + 473 / 100)) by (apply Rmult_le_pos; lra). lra. }
  apply Rle_trans with (E P (find s) (fun o => X * (if found w o then 0 else 1) + C)).
  - eapply (E_mono_leaves P P01); [apply Leaf|]. intros o Ho. eapply Rle_trans; [apply H, Ho|]. destruct (found w o); lra.
  - rewrite E_plus, E_const, E_scal, Pr_not. assert (X * (1 - Pr P (find s) (found w)) <= X * b) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** Whoever the champion is. *)
Lemma after_find s k o : (k <= s)%nat -> ET P (judge (certificate N delta) s k o) <= scale s * (M * (2 * lam + 4 * ln (INR s + 1) + 473/100) + 45).
Proof.
  intro Hk. pose proof (scale_pos s) as S0. pose proof M_ge1 as M1. pose proof lam_pos as L0. pose proof (ln_S_nonneg s) as LS. pose proof ln2_le.
  assert (0 <= M * (2 * lam + 4 * ln (INR s + 1) + 473 / 100)) as Q by (apply Rmult_le_pos; lra).
  destruct o as [[c pairs]|]; cbn [judge]; [|cbn [ET]; apply Rmult_le_pos; lra]. rewrite ET_bind.
  assert (ET P (screen s pairs) <= 36 * scale s) as SC.
  { eapply Rle_trans; [apply ET_le_max; auto|]. eapply Rle_trans; [apply le_INR, within_budget|].
    unfold screen_budget. rewrite INR_pow4. replace (s + 4)%nat with (S (s + 3)) by lia. cbn [pow]. unfold scale. lra. }
  set (a := certificate_level delta k). destruct (level_range delta k Hd) as [A0 A1]. fold a in A0, A1.
  destruct (ln_4_level delta k Hd) as [U _]. fold a lam in U. destruct (budget_range N s a ltac:(lra)) as [_ BU]. fold M in BU.
  pose proof (ln_S_mono k s Hk) as LK.
  assert (ET P (certificate N delta s k c pairs) <= scale s * (M * (2 * lam + 4 * ln (INR s + 1) + 473/100) + 9)) as CC.
  { eapply Rle_trans; [apply ET_le_max; auto|]. eapply Rle_trans; [apply le_INR, within_budget|]. fold a. eapply Rle_trans; [exact BU|].
    assert (M * (2 * scale s * ln (4 / a) + 4) <= scale s * (M * (2 * lam + 4 * ln (INR s + 1) + 473 / 100))); [|lra].
    replace (scale s * (M * (2 * lam + 4 * ln (INR s + 1) + 473 / 100))) with (M * (scale s * (2 * lam + 4 * ln (INR s + 1) + 473 / 100))) by ring.
    apply Rmult_le_compat_l; [lra|].
    assert (scale s * (2 * ln (4 / a)) <= scale s * (2 * (lam + 3 * ln 2 + 2 * ln (INR s + 1)))) by (apply Rmult_le_compat_l; lra).
    assert (scale s * ln 2 <= scale s * (347/500)) by (apply Rmult_le_compat_l; lra). lra. }
  apply Rle_trans with (36 * scale s + scale s * (M * (2 * lam + 4 * ln (INR s + 1) + 473/100) + 9)); [|lra].
  apply Rplus_le_compat; [exact SC|].
  rewrite <- (E_const P (screen s pairs) (scale s * (M * (2 * lam + 4 * ln (INR s + 1) + 473/100) + 9))).
  apply E_mono; auto. intro x. destruct (certified x); [|cbn [ET]; apply Rmult_le_pos; lra].
  rewrite ET_bind. cbn [ET]. rewrite E_const. lra.
Qed.

Lemma attempt_at_most s k : (k <= s)%nat -> ET P (attempt find (certificate N delta) s k) <= stage_at_most s.
Proof.
  intro Hk. pose proof (scale_pos s) as S0. pose proof M_ge1 as M1. pose proof lam_pos as L0. pose proof (ln_S_nonneg s) as LS.
  assert (0 <= M * (2 * lam + 4 * ln (INR s + 1) + 473 / 100)) as Q by (apply Rmult_le_pos; lra).
  set (X := scale s * (M * (2 * lam + 4 * ln (INR s + 1) + 473/100) + 45)). assert (0 <= X) as X0 by (apply Rmult_le_pos; lra).
  destruct Hf as (_ & _ & Cost & _). specialize (Cost s). unfold attempt. rewrite ET_bind.
  assert (C_find * INR (N - 1) / (gap s * gap s) = scale s * M * C_find) as Eq.
  { unfold Rdiv. rewrite scale_inv. unfold M. ring. }
  rewrite Eq in Cost. unfold C_find in Cost.
  apply Rle_trans with (scale s * M * (241/100) + X).
  - apply Rplus_le_compat; [exact Cost|]. rewrite <- (E_const P (find s) X). apply E_mono; auto. intro o. now apply after_find.
  - unfold X, stage_at_most. right. field.
Qed.

Lemma attempt_typical s k : (k <= s)%nat -> gap s <= Delta -> ET P (attempt find (certificate N delta) s k) <= typical s.
Proof.
  intros Hk Hs. pose proof (scale_pos s) as S0. pose proof M_ge1 as M1. pose proof lam_pos as L0. pose proof (ln_S_nonneg s) as LS.
  pose proof (ln_S_mono k s Hk) as LK. pose proof (ln_S_nonneg k) as LK0.
  set (C := 31232/10000 * scale s + M * (lam / 2 + 1041/1000 + ln (INR s + 1)) * scale s).
  assert (0 <= M * (lam / 2 + 1041/1000 + ln (INR s + 1)) * scale s) as C1 by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]).
  eapply Rle_trans; [apply (attempt_cost_gen s k C) with (b := 1/8)|].
  - unfold C. lra.
  - intros o Ho. destruct (found w o) eqn:Fo.
    + destruct (own_leaf o Ho Fo) as (pairs & -> & Own). cbn [judge]. rewrite ET_bind.
      destruct (screen_right s pairs Hs Own) as [_ SC]. destruct (certificate_right s k w pairs Hs Own) as [_ CC].
      unfold C. apply Rplus_le_compat; [exact SC|].
      rewrite <- (E_const P (screen s pairs) (M * (lam / 2 + 1041/1000 + ln (INR s + 1)) * scale s)). apply E_mono; auto.
      intro x. destruct (certified x); [|cbn [ET]; exact C1]. rewrite ET_bind. cbn [ET]. rewrite E_const, Rplus_0_r.
      eapply Rle_trans; [exact CC|]. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; lra.
    + eapply Rle_trans; [apply (after_find s k o Hk)|]. unfold C. lra.
  - destruct Hf as (_ & _ & _ & Right). specialize (Right s Hs). lra.
  - unfold C, typical, C_find.
    set (A := M * (75/100 * lam + 15/10 * ln (INR s + 1))).
    replace (scale s * M * (241 / 100) + (31232 / 10000 * scale s + M * (lam / 2 + 1041 / 1000 + ln (INR s + 1)) * scale s) +
      1 / 8 * (scale s * (M * (2 * lam + 4 * ln (INR s + 1) + 473 / 100) + 45)))
      with (scale s * (A + M * (241/100 + 1041/1000 + 473/800) + (31232/10000 + 45/8))) by (unfold A; field).
    replace (scale s * (M * (75 / 100 * lam + 15 / 10 * ln (INR s + 1) + 405 / 100) + 875 / 100))
      with (scale s * (A + M * (405/100) + 875/100)) by (unfold A; field).
    apply Rmult_le_compat_l; lra.
Qed.

(** ** All stages: what is still to be paid from stage [s] on, [s0] being the first one whose gap is reached *)

Variable s0 : nat.
Hypothesis Hs0 : gap s0 <= Delta.

Definition to_come (s : nat) : R := scale s * (M * (225/100 * lam + 45/10 * ln (INR s + 1) + 1215/100 + 9 * ln 2) + 2625/100).
Definition before (s : nat) : R := (scale s0 - scale s) / 3 * (M * (2 * lam + 4 * ln (INR s0 + 1) + 714/100) + 45).
Definition potential (s : nat) : R := if Nat.leb s0 s then to_come s else to_come s0 + before s.

Lemma to_come_step s : typical s + 1/6 * to_come (S s) <= to_come s.
Proof.
  unfold typical, to_come. rewrite scale_S. pose proof (scale_pos s) as S0. pose proof M_ge1 as M1.
  assert (ln (INR (S s) + 1) <= ln (INR s + 1) + ln 2) as Q.
  { pose proof (pos_INR s). rewrite <- ln_mult by lra. apply ln_le; rewrite S_INR; lra. }
  set (l := ln (INR s + 1)) in *. set (l' := ln (INR (S s) + 1)) in *.
  apply Rle_trans with (scale s * (M * (75/100 * lam + 15/10 * l + 405/100) + 875/100) +
    1/6 * (4 * scale s * (M * (225/100 * lam + 45/10 * (l + ln 2) + 1215/100 + 9 * ln 2) + 2625/100))).
  - apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r.
    apply Rmult_le_compat_l; lra.
  - right. field.
Qed.

Lemma potential_step s : (if Nat.leb s0 s then typical s + 1/6 * potential (S s) else stage_at_most s + potential (S s)) <= potential s.
Proof.
  unfold potential. destruct (Nat.leb_spec s0 s) as [H|H].
  - destruct (Nat.leb_spec s0 (S s)); [apply to_come_step|lia].
  - assert (stage_at_most s <= scale s * (M * (2 * lam + 4 * ln (INR s0 + 1) + 714/100) + 45)) as A.
    { unfold stage_at_most. pose proof (scale_pos s) as S0. pose proof M_ge1 as M1. pose proof (ln_S_mono s s0 ltac:(lia)).
      apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; lra. }
    assert (before (S s) + scale s * (M * (2 * lam + 4 * ln (INR s0 + 1) + 714/100) + 45) = before s) as B.
    { unfold before. rewrite scale_S. field. }
    destruct (Nat.leb_spec s0 (S s)) as [H'|H']; [|lra].
    assert (S s = s0) as E by lia. rewrite E in *. assert (before s0 = 0) by (unfold before; field). lra.
Qed.

Lemma potential_nonneg s : 0 <= potential s.
Proof.
  pose proof M_ge1 as M1. pose proof lam_pos as L0. pose proof ln2_ge.
  assert (forall t, 0 <= to_come t) as T.
  { intro t. unfold to_come. pose proof (scale_pos t). pose proof (ln_S_nonneg t). apply Rmult_le_pos; [lra|].
    assert (0 <= M * (225 / 100 * lam + 45 / 10 * ln (INR t + 1) + 1215 / 100 + 9 * ln 2)) by (apply Rmult_le_pos; lra). lra. }
  unfold potential. destruct (Nat.leb_spec s0 s) as [H0|H0]; [apply T|]. specialize (T s0).
  assert (scale s <= scale s0) as Sc.
  { clear - H0. induction H0 as [|t _ IH]; rewrite scale_S; [pose proof (scale_pos s); lra|pose proof (scale_pos t); lra]. }
  unfold before. pose proof (ln_S_nonneg s0).
  assert (0 <= (scale s0 - scale s) / 3 * (M * (2 * lam + 4 * ln (INR s0 + 1) + 714 / 100) + 45)); [|lra].
  apply Rmult_le_pos; [lra|]. assert (0 <= M * (2 * lam + 4 * ln (INR s0 + 1) + 714 / 100)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma stages_cost n : forall s k, (k <= s)%nat -> ET P (stages find (certificate N delta) n s k) <= potential s.
Proof.
  induction n as [|n IH]; intros s k Hk; [cbn [stages ET]; apply potential_nonneg|].
  pose proof (potential_nonneg (S s)) as P0. pose proof (potential_step s) as Step. cbn [stages]. rewrite ET_bind.
  assert (E P (attempt find (certificate N delta) s k) (fun r => ET P (match r return prog (option arm) with (_, Some c) => Ret (Some c)
            | (begun, None) => stages find (certificate N delta) n (S s) (if begun then S k else k) end))
          <= potential (S s) * Pr P (attempt find (certificate N delta) s k) failed) as K.
  { unfold Pr. rewrite <- E_scal. apply E_mono; auto. intros [begun [c|]]; cbn [failed ET].
    - destruct begun; cbn; lra.
    - specialize (IH (S s) (if begun then S k else k) ltac:(destruct begun; lia)). destruct begun; cbn [failed]; lra. }
  eapply Rle_trans; [apply Rplus_le_compat_l; exact K|]. eapply Rle_trans; [|exact Step].
  destruct (Nat.leb_spec s0 s) as [H|H].
  - assert (gap s <= Delta) as G by (eapply Rle_trans; [apply gap_le; exact H|exact Hs0]).
    pose proof (attempt_typical s k Hk G). pose proof (attempt_right s k G) as Q.
    apply (Rmult_le_compat_l (potential (S s))) in Q; lra.
  - pose proof (attempt_at_most s k Hk). pose proof (Pr_le1 P P01 (attempt find (certificate N delta) s k) failed) as Q.
    apply (Rmult_le_compat_l (potential (S s))) in Q; lra.
Qed.

(** ** Termination *)

Lemma stages_run_out n : forall s k, (s0 <= s)%nat -> Pr P (stages find (certificate N delta) n s k) ran_out <= (1/6) ^ n.
Proof.
  induction n as [|n IH]; intros s k H; [unfold Pr; cbn; lra|]. cbn [stages pow]. unfold Pr. rewrite E_bind.
  assert (gap s <= Delta) as G by (eapply Rle_trans; [apply gap_le; exact H|exact Hs0]).
  pose proof (attempt_right s k G) as Q. assert (0 <= (1/6) ^ n) as Pn by (apply pow_le; lra).
  apply Rle_trans with (E P (attempt find (certificate N delta) s k) (fun r => (1/6) ^ n * (if failed r then 1 else 0))).
  - apply E_mono; auto. intros [begun [c|]]; [destruct begun; cbn; lra|].
    specialize (IH (S s) (if begun then S k else k) ltac:(lia)). unfold Pr in IH. destruct begun; cbn [failed]; lra.
  - rewrite E_scal. fold (Pr P (attempt find (certificate N delta) s k) failed). apply (Rmult_le_compat_r ((1/6) ^ n)) in Q; lra.
Qed.

Lemma stages_run_out_later j n : forall s k, (s0 <= s + j)%nat -> Pr P (stages find (certificate N delta) (j + n) s k) ran_out <= (1/6) ^ n.
Proof.
  induction j as [|j IH]; intros s k H; [apply stages_run_out; lia|]. cbn [Nat.add stages]. unfold Pr. rewrite E_bind.
  assert (0 <= (1/6) ^ n) as Pn by (apply pow_le; lra). rewrite <- (E_const P (attempt find (certificate N delta) s k) ((1/6) ^ n)).
  apply E_mono; auto. intros [begun [c|]]; [destruct begun; cbn; lra|].
  specialize (IH (S s) (if begun then S k else k) ltac:(lia)). unfold Pr in IH. destruct begun; exact IH.
Qed.
End Stage.

Lemma first_stage Delta : 0 < Delta -> exists s0, gap s0 <= Delta /\ (s0 = 0%nat \/ Delta < gap (pred s0)).
Proof.
  intro HD. assert (exists n, gap n <= Delta) as [n Hn].
  { destruct (archimed_cor1 Delta HD) as (n & H1 & H2). exists n. left. eapply Rle_lt_trans; [|exact H1].
    unfold gap. rewrite pow_add. assert (INR n <= 2 ^ n) as Q.
    { clear. induction n as [|n IH]; [simpl; lra|]. rewrite S_INR. cbn [pow]. pose proof (pow_R1_Rle 2 n ltac:(lra)). lra. }
    apply lt_INR in H2. simpl (INR 0) in H2. apply Rmult_le_reg_r with (INR n * 2 ^ n); [apply Rmult_lt_0_compat; lra|].
    replace (3 / (2 ^ n * 2 ^ 3) * (INR n * 2 ^ n)) with (3/8 * INR n) by (field; lra).
    replace (/ INR n * (INR n * 2 ^ n)) with (2 ^ n) by (field; lra). lra. }
  induction n as [|n IH]; [exists 0%nat; auto|]. destruct (Rle_lt_dec (gap n) Delta) as [H|H]; [now apply IH|].
  exists (S n). cbn [pred]. auto.
Qed.

Lemma loglog Delta s0 : 0 < Delta <= 1/2 -> s0 = 0%nat \/ Delta < gap (pred s0) ->
  scale s0 <= 4 / (Delta * Delta) /\ ln (INR s0 + 1) <= ln (ln (/ Delta) + 1) + 368/1000.
Proof.
  intros HD H. pose proof (ln_inv_gap Delta HD) as LD. pose proof ln2_le. pose proof ln2_ge.
  assert (0 < Delta * Delta) as D2 by nra.
  assert (0 <= ln (ln (/ Delta) + 1)) as LL by (rewrite <- ln_1; apply ln_le; lra).
  destruct s0 as [|s]; [|destruct H as [H|H]; [discriminate|]; cbn [pred] in H].
  - split; [|simpl (INR 0); rewrite Rplus_0_l, ln_1; lra]. unfold scale. simpl.
    apply Rmult_le_reg_r with (Delta * Delta); [exact D2|]. replace (4 / (Delta * Delta) * (Delta * Delta)) with 4 by (field; lra). nra.
  - pose proof (gap_range s) as Hg. split.
    + rewrite scale_S, <- scale_inv. unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; nra.
    + assert (2 ^ (s + 3) * Delta < 3) as P2.
      { unfold gap in H. pose proof (pow_lt 2 (s + 3) ltac:(lra)) as P0. apply (Rmult_lt_compat_r (2 ^ (s + 3))) in H; [|exact P0].
        replace (3 / 2 ^ (s + 3) * 2 ^ (s + 3)) with 3 in H by (field; lra). lra. }
      replace (s + 3)%nat with (S (S s) + 1)%nat in P2 by lia. rewrite pow_add, pow_1 in P2.
      assert (2 ^ S (S s) <= 3/2 * / Delta) as P3.
      { apply Rmult_le_reg_r with Delta; [lra|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      apply ln_le in P3; [|apply pow_lt; lra]. rewrite ln_pow, ln_mult in P3 by (try apply Rinv_0_lt_compat; lra).
      assert (ln (3/2) <= 1/2) as L32.
      { pose proof (ln_tangent (3/2) 1 ltac:(lra) ltac:(lra)) as T. rewrite ln_1 in T. lra. }
      set (x := INR (S s) + 1). assert (INR (S (S s)) = x) as X by (unfold x; rewrite (S_INR (S s)); reflexivity). rewrite X in P3.
      assert (0 < x) as X0 by (unfold x; pose proof (pos_INR (S s)); lra).
      assert (x * (693/1000) <= ln (/ Delta) + 1) as P4.
      { assert (x * (693/1000) <= x * ln 2) by (apply Rmult_le_compat_l; lra). lra. }
      apply ln_le in P4; [|apply Rmult_lt_0_compat; lra]. rewrite ln_mult in P4 by lra.
      assert (- (368/1000) <= ln (693/1000)) as L; [|lra].
      assert (ln (1000/693 * (1000/693)) <= 736/1000) as Q.
      { pose proof (ln_tangent (1000/693 * (1000/693)) 2 ltac:(lra) ltac:(lra)). lra. }
      rewrite ln_mult in Q by lra. replace (1000/693) with (/ (693/1000)) in Q by field. rewrite ln_Rinv in Q by lra. lra.
Qed.

Lemma refines_bind {T A B} (m : program T A) (k k' : A -> program T (option B)) :
  (forall a, refines (k a) (k' a)) -> refines (bind m k) (bind m k').
Proof. intro H. induction m as [a|t u v f IH]; cbn [bind]; [apply H|]. constructor. exact IH. Qed.

Section Endless.
Variable find : nat -> prog (option (arm * list (arm * arm))).
Variables (N : nat) (delta : R).

Lemma stages_refine n : forall s k, refines (stages find (certificate N delta) n s k) (stages find (certificate N delta) (S n) s k).
Proof.
  induction n as [|n IH]; intros s k; [constructor|]. cbn [stages]. apply refines_bind. intros [begun [c|]]; [destruct begun; constructor|].
  specialize (IH (S s) (if begun then S k else k)). cbn [stages] in IH. destruct begun; exact IH.
Qed.

Hypothesis find_starts : forall s, starts (find s).
Lemma stages_agree T : forall n n' s k, (T <= n)%nat -> (T <= n')%nat -> agree T (stages find (certificate N delta) n s k) (stages find (certificate N delta) n' s k).
Proof.
  induction T as [|T IH]; intros [|n] [|n'] s k H H'; try lia; try exact Logic.I. cbn [stages].
  apply agree_bind_later; [|apply agree_refl|].
  - unfold attempt. specialize (find_starts s). destruct (find s); [destruct find_starts|exact Logic.I].
  - intros [begun [c|]]; [destruct begun; apply agree_refl|].
    specialize (IH n n' (S s) (if begun then S k else k) ltac:(lia) ltac:(lia)). destruct begun; exact IH.
Qed.
End Endless.

Theorem find_then_certify_identifies : find_then_certify_identifies_statement.
Proof.
  intros P N w Delta find delta HC HD HN Hd Hf. destruct HC as [P01 PA Hw Win]. assert (valid P) as HP by (split; assumption).
  destruct (first_stage Delta ltac:(lra)) as (s0 & G0 & First). pose proof Hf as (Leaf & Starts & _ & _).
  assert (Err : forall n, Pr P (find_then_certify find N delta n) (wrong w) <= delta).
  { intro n. eapply Rle_trans; [|apply (stages_error P find (certificate N delta) (fun c => negb (Nat.eqb c w)) delta n P01 Hd)].
    { right. apply E_ext. intros [c|]; reflexivity. }
    intro s. eapply leaves_impl; [apply Leaf|]. intros [[c pairs]|]; [|auto]. intros (Hc & order & -> & _ & HI) Hb k.
    apply negb_true_iff, Nat.eqb_neq in Hb. specialize (Win c Hc Hb).
    apply (certificate_wrong P N delta s k c c w); auto; [rewrite PA; lra|].
    apply in_map_iff. exists w. split; [reflexivity|]. apply HI. auto. }
  assert (Cost : forall n, ET P (find_then_certify find N delta n) <= find_then_certify_duels N Delta delta).
  { intro n. eapply Rle_trans; [apply (stages_cost P HP find N w Delta delta HN Hd Win Hf s0 G0 n 0 0 (le_n 0))|].
    destruct (loglog Delta s0 HD First) as [Sc LL]. pose proof (scale_pos s0) as S0. pose proof (lam_pos delta Hd) as L0. pose proof (M_ge1 N HN) as M1.
    pose proof (ln_S_nonneg s0) as LS. pose proof ln2_le.
    set (M := INR (N - 1)) in *. set (lam := ln (/ delta)) in *. set (l := ln (INR s0 + 1)) in *. set (ll := ln (ln (/ Delta) + 1)) in *.
    apply Rle_trans with (scale s0 * ((M * (C_level * lam + C_loglog * l + 8312/100) + C_once) / 4)).
    - assert (to_come N delta s0 <= scale s0 * (M * (225/100 * lam + 45/10 * l + 1215/100 + 9 * (347/500)) + 2625/100)) as A.
      { unfold to_come. fold M lam l. apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; lra. }
      set (X := M * (2 * lam + 4 * l + 714/100) + 45).
      assert (0 <= X) as X0 by (unfold X; assert (0 <= M * (2 * lam + 4 * l + 714/100)) by (apply Rmult_le_pos; lra); lra).
      assert (potential N delta s0 0 <= scale s0 * (M * (225/100 * lam + 45/10 * l + 1215/100 + 9 * (347/500)) + 2625/100) + scale s0 / 3 * X) as B.
      { pose proof (scale_pos 0) as Z0. assert (0 <= scale s0 / 3 * X) by (apply Rmult_le_pos; lra).
        unfold potential. destruct (Nat.leb_spec s0 0) as [E|E]; [assert (s0 = 0)%nat as E0 by lia; rewrite E0 in *; lra|].
        assert (before N delta s0 0 <= scale s0 / 3 * X); [|lra]. unfold before. fold M lam l. fold X. apply Rmult_le_compat_r; lra. }
      eapply Rle_trans; [exact B|]. unfold X, C_level, C_loglog, C_once.
      set (Y := M * (35/12 * lam + 35/6 * l)).
      replace (scale s0 * (M * (225 / 100 * lam + 45 / 10 * l + 1215 / 100 + 9 * (347 / 500)) + 2625 / 100) +
        scale s0 / 3 * (M * (2 * lam + 4 * l + 714 / 100) + 45)) with (scale s0 * (Y + M * (1215/100 + 9 * (347/500) + 238/100) + 4125/100)) by (unfold Y; field).
      replace (scale s0 * ((M * (35 / 3 * lam + 70 / 3 * l + 8312 / 100) + 165) / 4)) with (scale s0 * (Y + M * (2078/100) + 4125/100)) by (unfold Y; field).
      apply Rmult_le_compat_l; lra.
    - assert (0 <= M * (C_level * lam + C_loglog * l + 8312/100)) as Q by (unfold C_level, C_loglog; apply Rmult_le_pos; lra).
      assert (0 < Delta * Delta) as D2 by nra.
      apply Rle_trans with (4 / (Delta * Delta) * ((M * (C_level * lam + C_loglog * l + 8312/100) + C_once) / 4)).
      + apply Rmult_le_compat_r; [unfold C_once; lra|exact Sc].
      + unfold find_then_certify_duels. fold M lam ll. unfold Rdiv at 2.
        replace (4 / (Delta * Delta) * ((M * (C_level * lam + C_loglog * l + 8312 / 100) + C_once) * / 4))
          with ((M * (C_level * lam + C_loglog * l + 8312 / 100) + C_once) / (Delta * Delta)) by (field; lra).
        apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; [lra|].
        unfold C_loglog, C_arm. lra. }
  assert (Ends : is_lim_seq (fun n => Pr P (find_then_certify find N delta n) ran_out) 0).
  { apply (is_lim_seq_incr_n _ s0). apply (is_lim_seq_le_le (fun _ => 0) _ (fun n => (1/6) ^ n)).
    - intro n. split; [apply Pr_nonneg; auto|]. rewrite Nat.add_comm.
      apply (stages_run_out_later P HP find N w Delta delta HN Hd Win Hf s0 G0 s0 n 0 0 (le_n s0)).
    - apply is_lim_seq_const.
    - apply is_lim_seq_geom. rewrite Rabs_right; lra. }
  assert (Ref : forall n, refines (find_then_certify find N delta n) (find_then_certify find N delta (S n))) by (intro; apply stages_refine).
  split; [exact Err|]. split; [split; [exact Cost|now apply limit_ET]|].
  split; [intros T F F' H H'; now apply stages_agree|]. split; [exact Ends|]. now apply limit_right.
Qed.

(** ** The knockout *)

Lemma BKT_starts {cv : conventions} test X d : (forall d u v, 0 < d < 1 -> starts (test d u v)) -> 0 < d < 1 -> (2 <= length X)%nat -> starts (BKT test X d).
Proof.
  intros Ht Hd HL. destruct X as [|x [|y Y]]; cbn [length] in HL; try lia. unfold BKT. cbn [length]. rewrite bkt_step. cbv zeta.
  apply starts_obind. set (X := x :: y :: Y). assert (2 <= length (pairing X 0 X))%nat as PL by (rewrite (Permutation_length (pairing_perm X 0 X)); unfold X; cbn [length]; lia).
  destruct (pairing X 0 X) as [|u [|v Z]]; cbn [length] in PL; try lia. cbn [round]. apply starts_obind, Ht. now apply round_level_range.
Qed.

Lemma knockout_own {cv : conventions} N s : leaves (own_matches N) (knockout N s).
Proof.
  eapply leaves_bind; [apply bkt_leaves; [intros; apply BDT_leaves|apply seq_NoDup]|].
  intros [c|] Hc; [|exact Logic.I]. cbn in Hc. apply in_seq in Hc. cbn. split; [lia|]. exists (others N c). split; [reflexivity|].
  split; [apply others_len; lia|intro j; apply others_in].
Qed.

Theorem knockout_finds : knockout_finds_statement.
Proof.
  intros cv P N w Delta HC HN. pose proof HC as [P01 PA Hw Win].
  assert (L : @length arm (seq 0 N) = N) by apply seq_length.
  assert (1 <= @length arm (seq 0 N))%nat as L1 by (rewrite L; lia). assert (2 <= @length arm (seq 0 N))%nat as L2 by (rewrite L; exact HN). pose proof (seq_NoDup N 0) as ND.
  unfold finds, knockout. split; [|split; [|split]].
  - intro s. apply knockout_own.
  - intro s. pose proof (gap_range s) as Hg.
    assert (starts (BKT (BDT truncated_sprt (gap s)) (seq 0 N) (1/8))) as S.
    { apply BKT_starts; [|lra|exact L2]. intros d u v Hd. unfold BDT. pose proof (truncated_starts (gap s) d Hg Hd) as B. set (n := bbudget truncated_sprt (gap s) d) in *.
      clearbody n. destruct n; [lia|exact Logic.I]. }
    destruct (BKT _ _ _); [destruct S|exact Logic.I].
  - intro s. pose proof (gap_range s) as Hg. rewrite ET_bind. cbn [ET]. rewrite E_const, Rplus_0_r. eapply Rle_trans; [apply ET_le_max; auto|].
    assert (0 < / (gap s * gap s)) as I by (apply Rinv_0_lt_compat; nra).
    eapply Rle_trans; [apply (BKT_cost (fun A m => INR (maxT m))) with (ok := fun _ => True) (base := ts_base (gap s)) (slope := ts_slope (gap s)); auto; try lra|].
    + intros; eapply maxT_obind; eauto.
    + apply BDT_leaves.
    + unfold ts_base, Rdiv. lra.
    + unfold ts_slope, Rdiv. lra.
    + intros d u v Hd _ _ _. eapply Rle_trans; [apply le_INR, seqtest_maxT|]. now apply truncated_budget.
    + rewrite L. pose proof ln2_le. replace (/ (1 / 8)) with (2 ^ 3) by field. rewrite ln_pow by lra. simpl (INR 3).
      unfold ts_base, ts_slope, bkt_extra, C_find. pose proof (pos_INR (N - 1)).
      apply Rle_trans with (INR (N - 1) * (241/100 * / (gap s * gap s))); [|right; unfold Rdiv; ring].
      apply Rmult_le_compat_l; [lra|]. unfold Rdiv. nra.
  - intros s Hs. pose proof (gap_range s) as Hg.
    assert (Pr P (BKT (BDT truncated_sprt (gap s)) (seq 0 N) (1/8)) (wrong w) <= 1 * (1/8)) as Wrong.
    { pose proof (truncated_sprt_is_pairwise_test P N w (gap s) (condorcet_weaken P N w Delta (gap s) Hs HC) Hg) as T.
      apply BKT_correct; auto; try lra.
      - apply BDT_leaves.
      - apply in_seq. lia.
      - intros d j Hd Hj Hjw. apply (pt_correct _ _ _ _ _ _ _ T 0%nat d j Hd); [apply in_seq in Hj; lia|exact Hjw]. }
    pose proof (BKT_answers truncated_sprt P (gap s) P01 (seq 0 N) (1/8) ltac:(lra) ND L1) as Ans.
    unfold Pr. rewrite E_bind. cbn [E].
    apply Rle_trans with (Pr P (BKT (BDT truncated_sprt (gap s)) (seq 0 N) (1/8)) (is_arm w)); [rewrite Pr_total, Ans; lra|].
    right. apply E_ext. intros [c|]; reflexivity.
Qed.

Theorem find_then_certify_knockout : find_then_certify_knockout_statement.
Proof.
  intros cv P N delta HP HN Hd run. split.
  - intro n. apply find_then_certify_error; auto. intro s. apply knockout_own.
  - intros w Delta HC HD. apply find_then_certify_identifies; auto. now apply knockout_finds.
Qed.
