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
From TGITE Require Import ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate.
Open Scope R_scope.

(** ** The algorithm *)

Definition gap (s : nat) : R := 3 / 2 ^ (s + 3).

(** The screen: the likelihood ratio alone, within 4^(s+4) = 36/g_s^2 duels. *)
Definition screen_rule (g : R) (n s : nat) : option bool :=
  if reaches (likelihood g) (/ 256) n s then Some true else if sinks (likelihood g) (/ 32) n s then Some false else None.
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
Context {tag : Type}.
(** In stage [s] the finder names a champion, and matches that it has to win (or that the others have to lose). *)
Variable find : nat -> program tag (option (arm * list (arm * arm))).
Variable screen : nat -> list (arm * arm) -> program tag (option bool).
Variable certificate : nat -> nat -> arm -> list (arm * arm) -> program tag (option bool).

(** Stage [s], [k] certificates having been begun: whether another one was, and the certified arm, if any. *)
Definition judge (s k : nat) (found : option (arm * list (arm * arm))) : program tag (bool * option arm) :=
  match found with
  | None => Ret (false, None)
  | Some (c, pairs) => bind (screen s pairs) (fun x =>
      if certified x
      then bind (certificate s k c pairs) (fun y => Ret (true, if certified y then Some c else None))
      else Ret (false, None))
  end.
Definition attempt (s k : nat) : program tag (bool * option arm) := bind (find s) (judge s k).

(** At most so many stages, from stage [s] on. *)
Fixpoint stages (n s k : nat) : program tag (option arm) :=
  match n with
  | O => Ret None
  | S n' => bind (attempt s k) (fun r => match r with
      | (_, Some c) => Ret (Some c)
      | (begun, None) => stages n' (S s) (if begun then S k else k)
      end)
  end.
End Algorithm.

Definition find_then_certify find (N : nat) (delta : R) (n : nat) : prog (option arm) := stages find screen (certificate N delta) n 0 0.

(** ** Where a winner is known to exist

    Every arm [v] may lose instead to the arm [u] that threw it out of the knockout, on the gap of the stage before,
    or else to the champion [c], at half of the level each. *)
Definition bold_rule (s : nat) (a : R) (n x : nat) : option bool :=
  if reaches (likelihood (gap (pred s))) a n x then Some true else if sinks (likelihood (gap (pred s))) (/ 8) n x then Some false else None.
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
  stages find screen (certificate_of_winner N delta) n 0 0.

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
(** Every other arm has one arm to lose to, and the first of them the champion. *)
Definition designated_matches (N : nat) (found : option (arm * list (arm * arm))) : Prop :=
  match found with
  | None => True
  | Some (c, pairs) => (c < N)%nat /\ length pairs = (N - 1)%nat /\
      (forall u v, In (u, v) pairs -> (u < N)%nat /\ (v < N)%nat /\ u <> v /\ v <> c) /\
      (forall j, (j < N)%nat -> j <> c -> exists u, In (u, j) pairs) /\
      (forall u v, In (u, v) (firstn 1 pairs) -> u = c)
  end.

(** Whatever finds, and whatever certifies: if no certificate errs by more than its level, all of them together do not
    by more than [delta]. *)
Definition stages_error_statement : Prop := forall P find certificate (bad : arm -> bool) delta n,
  (forall u v, 0 <= P u v <= 1) -> 0 < delta < 1 ->
  (forall s, leaves (fun found => match found with
     | None => True
     | Some (c, pairs) => bad c = true -> forall k, Pr P (certificate s k c pairs) certified <= certificate_level delta k
     end) (find s)) ->
  Pr P (stages find screen certificate n 0 0) (fun o => match o with Some c => bad c | None => false end) <= delta.

(** An arm that does not beat every other one is returned with probability at most [delta]: whatever the
    preferences (ties, cycles, no winner), the finder, and the number of stages. *)
Definition find_then_certify_error_statement : Prop := forall P N find delta n,
  valid P -> 0 < delta < 1 -> (forall s, leaves (own_matches N) (find s)) ->
  Pr P (find_then_certify find N delta n) (wrongly_returned P N) <= delta.

(** Where there is a winner, [find_then_certify_winner] returns an arm that is not it with probability at most [delta]. *)
Definition find_then_certify_winner_error_statement : Prop := forall P N w find delta n,
  valid P -> 0 < delta < 1 -> (w < N)%nat -> (forall j, (j < N)%nat -> j <> w -> 1/2 < P w j) ->
  (forall s, leaves (designated_matches N) (find s)) ->
  Pr P (find_then_certify_winner find N delta n) (wrong w) <= delta.

(** ** Where there is a winner *)

Definition found (w : arm) (o : option (arm * list (arm * arm))) : bool := match o with Some (c, _) => Nat.eqb c w | None => false end.

(** What is asked of a finder: in every stage a champion with its matches, for few duels; and the winner, with
    probability at least 7/8, once the gap that is tried is not above [Delta]. *)
Definition C_find : R := 241/100.
Definition finds (matches : option (arm * list (arm * arm)) -> Prop) (P : arm -> arm -> R) (N : nat) (w : arm) (Delta : R)
    (find : nat -> prog (option (arm * list (arm * arm)))) : Prop :=
  (forall s, leaves matches (find s)) /\
  (forall s, starts (find s)) /\
  (forall s, ET P (find s) <= C_find * INR (N - 1) / (gap s * gap s)) /\
  (forall s, gap s <= Delta -> 7/8 <= Pr P (find s) (found w)).

(** A knockout whose matches are the truncated test's, told the gap that is tried, at level 1/8.  It notes who threw whom
    out, the latest first.  Of that come the matches of the certificate: first the champion's own victims, the latest first,
    then all others, who was out last before the others. *)
Fixpoint noting {tag A} (test : exact -> arm -> arm -> program tag (option arm)) (noted : list (arm * arm))
    (m : program asked (option A)) : program tag (option (A * list (arm * arm))) :=
  match m with
  | Ret None => Ret None
  | Ret (Some a) => Ret (Some (a, noted))
  | Ask (Match l) u v k => obind (test l u v) (fun x =>
      if Nat.eqb x u then noting test ((u, v) :: noted) (k true) else noting test ((v, u) :: noted) (k false))
  | Ask (Block _) _ _ k => noting test noted (k true) (* not in a tournament *)
  end.
Definition suspects (c : arm) (noted : list (arm * arm)) : list (arm * arm) :=
  filter (fun m => Nat.eqb (fst m) c) noted ++ filter (fun m => negb (Nat.eqb (fst m) c)) noted.
Definition its_own (c : arm) (noted : list (arm * arm)) : list (arm * arm) := against c (map snd (suspects c noted)).
Definition tournament {cv : conventions} {tag} (test : exact -> arm -> arm -> program tag (option arm))
    (matches : arm -> list (arm * arm) -> list (arm * arm)) (N : nat) : program tag (option (arm * list (arm * arm))) :=
  bind (noting test [] (BKT ask (seq 0 N) (level 1 8))) (fun o =>
    Ret (match o with Some (c, noted) => Some (c, matches c noted) | None => None end)).
Definition knockout {cv : conventions} matches (N s : nat) : prog (option (arm * list (arm * arm))) :=
  tournament (fun l => BDT truncated_sprt (gap s) (value l)) matches N.
Definition knockout_finds_statement : Prop := forall (cv : conventions) P N w Delta,
  condorcet P N w Delta -> (2 <= N)%nat ->
  finds (own_matches N) P N w Delta (knockout its_own N) /\ finds (designated_matches N) P N w Delta (knockout suspects N).

(** The number of duels: no other gap than the winner's in it. *)
Definition C_once : R := 165.
Definition duels_at_most (C_level C_arm : R) (N : nat) (Delta delta : R) : R :=
  (INR (N - 1) * (C_level * (ln (/ delta) + 2 * ln (ln (/ Delta) + 1)) + C_arm) + C_once) / (Delta * Delta).
Definition C_level : R := 9.
Definition C_arm : R := 79.
Definition C_winner_level : R := 197/12.
Definition C_winner_arm : R := 129.

(** [condorcet P N w Delta]: [w] beats every other arm by [Delta] at least; all else is free, ties included.
    The stages end with probability 1, in the limit of many; the answer is [w] with probability at least [1 - delta]. *)
Definition find_then_certify_identifies_statement : Prop := forall P N w Delta find delta,
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> 0 < delta < 1 -> finds (own_matches N) P N w Delta find ->
  identifies P w (find_then_certify find N delta) delta (duels_at_most C_level C_arm N Delta delta).
Definition find_then_certify_winner_identifies_statement : Prop := forall P N w Delta find delta,
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> 0 < delta < 1 -> finds (designated_matches N) P N w Delta find ->
  identifies P w (find_then_certify_winner find N delta) delta (duels_at_most C_winner_level C_winner_arm N Delta delta).

(** The whole, with the knockout: right under no assumption, and under one it ends. *)
Definition find_then_certify_knockout_statement : Prop := forall (cv : conventions) P N delta,
  valid P -> (2 <= N)%nat -> 0 < delta < 1 -> let run := find_then_certify (knockout its_own N) N delta in
  (forall n, Pr P (run n) (wrongly_returned P N) <= delta) /\
  (forall w Delta, condorcet P N w Delta -> 0 < Delta <= 1/2 -> identifies P w run delta (duels_at_most C_level C_arm N Delta delta)).
(** And where a winner is known to exist, every arm losing to whom it lost in the knockout, or to the champion. *)
Definition find_then_certify_winner_knockout_statement : Prop := forall (cv : conventions) P N w delta,
  valid P -> (2 <= N)%nat -> 0 < delta < 1 -> (w < N)%nat -> (forall j, (j < N)%nat -> j <> w -> 1/2 < P w j) ->
  let run := find_then_certify_winner (knockout suspects N) N delta in
  (forall n, Pr P (run n) (wrong w) <= delta) /\
  (forall Delta, condorcet P N w Delta -> 0 < Delta <= 1/2 ->
     identifies P w run delta (duels_at_most C_winner_level C_winner_arm N Delta delta)).

(** With a budget for all duels together, they may be cut anywhere: what is then returned is wrong with probability at
    most [delta] all the same.  Where there is a winner, the budget suffices but for a probability of the expected number of duels
    over it (a stage takes a duel at least, so that there are stages enough). *)
Definition find_then_certify_budget_statement : Prop := forall (cv : conventions) P N delta n budget,
  valid P -> (2 <= N)%nat -> 0 < delta < 1 ->
  let run := within budget (find_then_certify (knockout its_own N) N delta n) in
  let run' := within budget (find_then_certify_winner (knockout suspects N) N delta n) in
  (maxT run <= budget)%nat /\ (maxT run' <= budget)%nat /\
  Pr P run (wrongly_returned P N) <= delta /\
  (forall w, (w < N)%nat -> (forall j, (j < N)%nat -> j <> w -> 1/2 < P w j) -> Pr P run' (wrong w) <= delta) /\
  (forall w Delta, condorcet P N w Delta -> 0 < Delta <= 1/2 -> (budget <= n)%nat ->
     INR budget * Pr P run ran_out <= duels_at_most C_level C_arm N Delta delta /\
     INR budget * Pr P run' ran_out <= duels_at_most C_winner_level C_winner_arm N Delta delta).

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
  assert (K : forall n s k, Pr P (stages find screen cert n s k) says_bad <= left_over delta k).
  2:{ eapply Rle_trans; [apply K|]. unfold left_over. cbn. right. field. }
  clear n. induction n as [|n IH]; intros s k; pose proof (left_over_nonneg delta k Hd) as L0.
  { unfold Pr. cbn. exact L0. }
  pose proof (left_over_nonneg delta (S k) Hd) as L1. pose proof (left_over_step delta k) as Step.
  pose proof (level_range delta k Hd) as A. cbn [stages]. unfold Pr. rewrite E_bind.
  set (after := fun r : bool * option arm => match r with (_, Some c) => if bad c then 1 else 0
                  | (true, None) => left_over delta (S k) | (false, None) => left_over delta k end).
  apply Rle_trans with (expect P (attempt find screen cert s k) after).
  { apply E_mono; auto. intros [begun [c|]]; [destruct begun; cbn; apply Rle_refl|]. unfold after. specialize (IH (S s)). unfold Pr in IH.
    destruct begun; apply IH. }
  unfold attempt. rewrite E_bind. rewrite <- (E_const P (find s) (left_over delta k)).
  eapply (E_mono_leaves P P01); [apply Hf|]. intros [[c pairs]|] Hbad; [|cbn; lra].
  cbn [judge]. rewrite E_bind. rewrite <- (E_const P (screen s pairs) (left_over delta k)). apply E_mono; auto.
  intro x. destruct (certified x); [|cbn; lra]. rewrite E_bind.
  apply Rle_trans with (expect P (cert s k c pairs) (fun y => (if bad c then 1 else 0) * (if certified y then 1 else 0) + left_over delta (S k))).
  - apply E_mono; auto. intro y. cbn [expect after]. destruct (certified y); destruct (bad c); lra.
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
  { apply (one_sided_error (likelihood (gap (pred s)))); auto.
    - apply likelihood_is_evidence. pose proof (gap_range (pred s)). lra.
    - intros n x _. unfold bold_rule. destruct (reaches _ _ _ _); [reflexivity|]. destruct (sinks _ _ _ _); discriminate. }
  unfold Pr. rewrite E_bind.
  apply Rle_trans with (expect P (seqtest (bold_rule s a) never (bold_budget s a) 0 0 u w) (fun o => (if is_arm u o then 1 else 0) + a)).
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
  intro s. eapply leaves_impl; [apply Hf|]. intros [[c pairs]|]; [|auto]. intros (Hc & _ & Hpairs & H & _) Hb k.
  apply negb_true_iff, Nat.eqb_neq in Hb. destruct (H w Hw ltac:(congruence)) as (u & Hin). destruct (Hpairs u w Hin) as (Hu & _ & Huw & _).
  destruct (level_range delta k Hd) as [A0 A1]. unfold certificate_of_winner. cbv zeta.
  eapply Rle_trans; [apply within_Pr; auto|]. apply certify_error with (u := u) (v := w); auto; [lra|].
  eapply Rle_trans; [apply either_wrong; auto; lra|lra].
Qed.

(** ** Numbers *)

Lemma e_inv : exp (- (1)) <= 10/27.
Proof.
  rewrite exp_Ropp. replace (10/27) with (/ (27/10)) by field. apply Rinv_le_contravar; [lra|].
  replace (exp 1) with (exp (1 / 1)) by (f_equal; field). apply (exp_lower 1 1 27 10 128). vm_compute. reflexivity.
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

(** ** Levels and budgets are enough *)

Lemma loss_pos N : (2 <= N)%nat -> 0 < INR ((2 * N) ^ 6) /\ 0 <= certificate_loss N.
Proof.
  intro HN. assert (0 < INR ((2 * N) ^ 6)) as NP by (apply INR_pos; apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
  split; [exact NP|]. left. now apply Rinv_0_lt_compat.
Qed.
Lemma loss_small N : (2 <= N)%nat -> INR (N - 1) * certificate_loss N <= / 4096.
Proof.
  intro HN. destruct (loss_pos N HN) as [NP _].
  unfold certificate_loss. apply Rmult_le_reg_r with (INR ((2 * N) ^ 6)); [exact NP|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  rewrite pow_INR, mult_INR, minus_INR by lia. simpl (INR 2). simpl (INR 1).
  assert (2 <= INR N) as N2 by (apply (le_INR 2); lia). set (x := INR N) in *.
  replace (/ 4096 * ((1 + 1) * x) ^ 6) with (/ 64 * ((x * x) * ((x * x) * (x * x)))) by field.
  assert (4 * (x - 1) <= x * x) by nra. assert (16 <= (x * x) * (x * x)) by nra. nra.
Qed.

Lemma ln_half_level s a : 0 < a < 1 -> ln ((1 + 2 * gap s) / (a / 2)) <= ln (4 / a).
Proof.
  intro Ha. pose proof (gap_range s) as Hg. assert (0 < 4 / a) as A4 by (apply Rdiv_lt_0_compat; lra).
  apply ln_le; [apply Rdiv_lt_0_compat; lra|]. replace ((1 + 2 * gap s) / (a / 2)) with ((1 + 2 * gap s) / 2 * (4 / a)) by (field; lra). nra.
Qed.

(** The budget of the matches together. *)
Lemma budget_enough N s a : (2 <= N)%nat -> 0 < a <= 2/3 ->
  exp (INR (N - 1) * (ln ((1 + 2 * gap s) / (a / 2)) / 2) - INR (certificate_budget N s a) * (gap s * gap s / 2)) <= (10/27) ^ 5.
Proof.
  intros HN Ha. pose proof (gap_range s) as Hg. pose proof ln2_ge. pose proof (scale_gap s) as SG. pose proof (scale_pos s) as S0.
  assert (1 <= INR (N - 1)) as M1 by (apply (le_INR 1); lia). set (M := INR (N - 1)) in *.
  destruct (budget_range N s a ltac:(lra)) as [BL _]. fold M in BL. set (B := INR (certificate_budget N s a)) in *.
  pose proof (ln_half_level s a ltac:(lra)) as LA.
  assert (2 * ln 2 <= ln (4 / a)) as Low.
  { replace (2 * ln 2) with (ln (2 * 2)) by (rewrite ln_mult; lra). apply ln_le; [lra|].
    apply Rmult_le_reg_r with a; [lra|]. replace (4 / a * a) with 4 by (field; lra). lra. }
  eapply Rle_trans; [|apply (exp_minus 5)]. apply exp_le. simpl (INR 5).
  assert ((M * (2 * scale s * ln (4 / a)) + 9 * scale s) * (gap s * gap s / 2) <= B * (gap s * gap s / 2)) as Q by (apply Rmult_le_compat_r; nra).
  replace ((M * (2 * scale s * ln (4 / a)) + 9 * scale s) * (gap s * gap s / 2))
    with ((M * ln (4 / a) + 9 / 2) * (scale s * (gap s * gap s))) in Q by field. rewrite SG in Q.
  assert (M * (ln ((1 + 2 * gap s) / (a / 2)) / 2) <= M * (ln (4 / a) / 2)) by (apply Rmult_le_compat_l; lra).
  assert (1 * (2 * ln 2) <= M * ln (4 / a)) by (apply Rmult_le_compat; lra). lra.
Qed.

Lemma L_time_scale s a : 0 < a < 1 -> L_time (gap s) (a / 2) <= ln (4 / a) / 2 * scale s.
Proof.
  intro Ha. pose proof (gap_range s) as Hg. pose proof (scale_pos s). pose proof (ln_half_level s a Ha). unfold L_time.
  rewrite <- ln_mult by (try apply Rinv_0_lt_compat; lra). replace (/ (a / 2) * (1 + 2 * gap s)) with ((1 + 2 * gap s) / (a / 2)) by (field; lra).
  replace (ln ((1 + 2 * gap s) / (a / 2)) / (2 * (gap s * gap s))) with (ln ((1 + 2 * gap s) / (a / 2)) / 2 * scale s)
    by (rewrite <- scale_inv; field; lra).
  apply Rmult_le_compat_r; lra.
Qed.

Lemma Pr_not {T A} P (m : program T A) (ev : A -> bool) : expect P m (fun a => if ev a then 0 else 1) = 1 - Pr P m ev.
Proof.
  unfold Pr. induction m as [a|t u v k IH]; cbn [expect]; [destruct (ev a); lra|]. rewrite !IH. ring.
Qed.
Lemma ln_S_nonneg n : 0 <= ln (INR n + 1).
Proof. rewrite <- ln_1. apply ln_le; [lra|]. pose proof (pos_INR n). lra. Qed.
Lemma ln_S_mono k s : (k <= s)%nat -> ln (INR k + 1) <= ln (INR s + 1).
Proof. intro H. apply le_INR in H. pose proof (pos_INR k). apply ln_le; lra. Qed.

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
Variable certificate : nat -> nat -> arm -> list (arm * arm) -> prog (option bool).

Lemma stages_refine n : forall s k, refines (stages find screen certificate n s k) (stages find screen certificate (S n) s k).
Proof.
  induction n as [|n IH]; intros s k; [constructor|]. cbn [stages]. apply refines_bind. intros [begun [c|]]; [destruct begun; constructor|].
  specialize (IH (S s) (if begun then S k else k)). cbn [stages] in IH. destruct begun; exact IH.
Qed.

Hypothesis find_starts : forall s, starts (find s).
Lemma stages_agree T : forall n n' s k, (T <= n)%nat -> (T <= n')%nat -> agree T (stages find screen certificate n s k) (stages find screen certificate n' s k).
Proof.
  induction T as [|T IH]; intros [|n] [|n'] s k H H'; try lia; try exact Logic.I. cbn [stages].
  apply agree_bind_later; [|apply agree_refl|].
  - unfold attempt. specialize (find_starts s). destruct (find s); [destruct find_starts|exact Logic.I].
  - intros [begun [c|]]; [destruct begun; apply agree_refl|].
    specialize (IH n n' (S s) (if begun then S k else k) ltac:(lia) ltac:(lia)). destruct begun; exact IH.
Qed.

End Endless.

(** ** Stages, for any certificate

    A certificate takes at most (a_l, a_c), and for the winner typically (t_l, t_c), or (u_l, t_c) once its gap is twice what
    is tried, as is said in [cap], [right] and [later]; [ready] are matches that the winner's certificate can be trusted with. *)

Section Stage.
Variable P : arm -> arm -> R.
Hypothesis HP : valid P.
Variable find : nat -> prog (option (arm * list (arm * arm))).
Variable certificate : nat -> nat -> arm -> list (arm * arm) -> prog (option bool).
Variables (N : nat) (w : arm) (Delta delta : R).
Hypothesis HN : (2 <= N)%nat.
Hypothesis Hd : 0 < delta < 1.

Let P01 := valid_01 P HP.
Let M := INR (N - 1).
Let lam := ln (/ delta).

Lemma M_ge1 : 1 <= M.
Proof. unfold M. apply (le_INR 1). lia. Qed.
Lemma lam_pos : 0 < lam.
Proof. apply ln_inv_pos. exact Hd. Qed.

(** M (x (ln(1/delta) + 2 ln(s+1)) + z) *)
Definition form (x z : R) (s : nat) : R := M * (x * (lam + 2 * ln (INR s + 1)) + z).
Lemma form_nonneg x z s : 0 <= x -> 0 <= z -> 0 <= form x z s.
Proof.
  intros Hx Hz. unfold form. pose proof M_ge1. pose proof lam_pos. pose proof (ln_S_nonneg s).
  apply Rmult_le_pos; [lra|]. assert (0 <= x * (lam + 2 * ln (INR s + 1))) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma form_mono x z k s : 0 <= x -> (k <= s)%nat -> form x z k <= form x z s.
Proof.
  intros Hx Hk. unfold form. pose proof M_ge1. pose proof (ln_S_mono k s Hk).
  apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; lra.
Qed.

Variables a_l a_c t_l u_l t_c : R.
Hypothesis coefficients : 0 <= a_l /\ 0 <= a_c /\ 0 <= t_l /\ 0 <= u_l /\ 0 <= t_c.
Hypothesis cap : forall s k c pairs, (k <= s)%nat -> INR (maxT (certificate s k c pairs)) <= scale s * (form a_l a_c s + 9).
Variable ready : list (arm * arm) -> Prop.
Hypothesis ready_screen : forall pairs u v, ready pairs -> In (u, v) (firstn 1 pairs) -> u <> v /\ 1/2 + Delta <= P u v.
Hypothesis right : forall s k pairs, (k <= s)%nat -> gap s <= Delta -> ready pairs ->
  1 - (/ 4096 + (10/27) ^ 5) <= Pr P (certificate s k w pairs) certified /\
  ET P (certificate s k w pairs) <= scale s * form t_l t_c s.
Hypothesis later : forall s k pairs, (k <= s)%nat -> 2 * gap s <= Delta -> ready pairs ->
  ET P (certificate s k w pairs) <= scale s * form u_l t_c s.
Definition ready_if_winner (o : option (arm * list (arm * arm))) : Prop :=
  match o with None => True | Some (c, pairs) => c = w -> ready pairs end.
Hypothesis find_ready : forall s, leaves ready_if_winner (find s).
Hypothesis find_cost : forall s, ET P (find s) <= C_find * INR (N - 1) / (gap s * gap s).
Hypothesis find_right : forall s, gap s <= Delta -> 7/8 <= Pr P (find s) (found w).

Lemma find_scale s : ET P (find s) <= scale s * (M * (241/100)).
Proof.
  eapply Rle_trans; [apply find_cost|]. unfold Rdiv at 1. rewrite scale_inv. unfold M, C_find. right. ring.
Qed.

Lemma screen_admissible g : complete_rule g (/ 256) (/ 32) (screen_rule g).
Proof.
  intros n s _. unfold screen_rule. split; [destruct (reaches _ _ _ _); [discriminate|reflexivity]|].
  destruct (reaches _ _ _ _); [discriminate|]. destruct (sinks _ _ _ _); [reflexivity|discriminate].
Qed.

Lemma screen_right s pairs : gap s <= Delta -> ready pairs ->
  1 - (/ 32 + (10/27) ^ 14) <= Pr P (screen s pairs) certified /\ ET P (screen s pairs) <= 31232/10000 * scale s.
Proof.
  intros Hs Ho. pose proof (gap_range s) as Hg. pose proof ln2_le as L2. pose proof (scale_gap s) as SG. pose proof (scale_pos s) as S0.
  set (few := firstn 1 pairs). assert (INR (length few) <= 1) as Len by (apply (le_INR _ 1); apply firstn_le_length).
  pose proof (pos_INR (length few)) as Len0.
  destruct (certificate_complete P (gap s) (/ 256) (/ 32) (screen_rule (gap s)) (screen_budget s) (screen_budget s) few) as [A B]; auto; try lra.
  { apply screen_admissible. }
  { intros u v Hin. destruct (ready_screen pairs u v Ho Hin) as [X Y]. split; [exact X|lra]. }
  assert (ln (1 + 2 * gap s) <= ln 2) as LG by (apply ln_le; lra).
  assert (ln 256 = 8 * ln 2) as L256 by (replace 256 with (2 ^ 8) by ring; rewrite ln_pow by lra; simpl (INR 8); ring).
  split.
  - eapply Rle_trans; [|exact A]. apply Rplus_le_compat_l, Ropp_le_contravar, Rplus_le_compat; [lra|].
    eapply Rle_trans; [|apply (exp_minus 14)].
    assert (INR (screen_budget s) * (gap s * gap s / 2) = 18) as ->.
    { unfold screen_budget. rewrite INR_pow4. replace (s + 4)%nat with (S (s + 3)) by lia. cbn [pow]. unfold scale in SG. lra. }
    replace ((1 + 2 * gap s) / / 256) with ((1 + 2 * gap s) * 256) by field. rewrite ln_mult by lra.
    apply exp_le. simpl (INR 14). nra.
  - eapply Rle_trans; [apply refines_ET; [exact P01|apply within_refines]|]. eapply Rle_trans; [exact B|].
    unfold L_time. rewrite Rinv_inv. rewrite L256.
    replace ((8 * ln 2 + ln (1 + 2 * gap s)) / (2 * (gap s * gap s))) with ((8 * ln 2 + ln (1 + 2 * gap s)) / 2 * scale s)
      by (rewrite <- scale_inv; field; lra).
    assert (0 <= ln (1 + 2 * gap s)) by (rewrite <- ln_1; apply ln_le; lra). pose proof ln2_ge.
    apply Rle_trans with (1 * ((8 * ln 2 + ln (1 + 2 * gap s)) / 2 * scale s)).
    + apply Rmult_le_compat_r; [|exact Len]. apply Rmult_le_pos; lra.
    + rewrite Rmult_1_l. apply Rmult_le_compat_r; lra.
Qed.

Lemma ready_leaf o : ready_if_winner o -> found w o = true -> exists pairs, o = Some (w, pairs) /\ ready pairs.
Proof.
  destruct o as [[c pairs]|]; [|discriminate]. intros H Hw. cbn in Hw. apply Nat.eqb_eq in Hw. subst c.
  exists pairs. split; [reflexivity|]. now apply H.
Qed.

(** Nobody was certified. *)
Definition failed (r : bool * option arm) : bool := match r with (_, Some _) => false | _ => true end.

Lemma attempt_right s k : (k <= s)%nat -> gap s <= Delta -> Pr P (attempt find screen certificate s k) failed <= 1/6.
Proof.
  intros Hk Hs. pose proof (find_right s Hs) as Right.
  set (q := / 32 + (10/27) ^ 14 + (/ 4096 + (10/27) ^ 5)). assert (q <= 1/6 - 1/8) as Hq by (unfold q; lra).
  unfold attempt, Pr. rewrite E_bind.
  apply Rle_trans with (expect P (find s) (fun o => (if found w o then 0 else 1) + q)).
  2:{ rewrite E_plus, E_const, Pr_not. lra. }
  eapply (E_mono_leaves P P01); [apply find_ready|]. intros o Ho. assert (0 <= q) as Q0 by (unfold q; lra). destruct (found w o) eqn:Fo.
  - destruct (ready_leaf o Ho Fo) as (pairs & -> & Own). cbn [judge]. rewrite E_bind.
    destruct (screen_right s pairs Hs Own) as [SR _]. destruct (right s k pairs Hk Hs Own) as [CR _].
    apply Rle_trans with (expect P (screen s pairs) (fun x => (if certified x then 0 else 1) + (/ 4096 + (10/27) ^ 5))).
    2:{ rewrite E_plus, E_const, Pr_not. unfold q. lra. }
    apply E_mono; auto. intro x. destruct (certified x); [|cbn; lra]. rewrite E_bind.
    apply Rle_trans with (expect P (certificate s k w pairs) (fun y => if certified y then 0 else 1)).
    + apply E_mono; auto. intro y. cbn. destruct (certified y); lra.
    + rewrite Pr_not. lra.
  - apply Rle_trans with 1; [|lra]. destruct o as [[c pairs]|]; [|cbn; lra].
    apply (Pr_le1 P P01 _ failed).
Qed.

(** What a stage costs: at most, and typically, once the gap is reached. *)
Definition stage_at_most (s : nat) : R := scale s * (form a_l (a_c + 241/100) s + 45).
Definition typical (x : R) (s : nat) : R := scale s * (form (x + a_l / 8) (t_c + a_c / 8 + 241/100) s + 875/100).

(** Whoever the champion is. *)
Lemma after_find s k o : (k <= s)%nat -> ET P (judge screen certificate s k o) <= scale s * (form a_l a_c s + 45).
Proof.
  intro Hk. pose proof (scale_pos s) as S0. destruct coefficients as (C1 & C2 & _). pose proof (form_nonneg a_l a_c s C1 C2) as F0.
  destruct o as [[c pairs]|]; cbn [judge]; [|cbn [ET]; apply Rmult_le_pos; lra]. rewrite ET_bind.
  assert (ET P (screen s pairs) <= 36 * scale s) as SC.
  { eapply Rle_trans; [apply ET_le_max; auto|]. eapply Rle_trans; [apply le_INR, within_budget|].
    unfold screen_budget. rewrite INR_pow4. replace (s + 4)%nat with (S (s + 3)) by lia. cbn [pow]. unfold scale. lra. }
  assert (ET P (certificate s k c pairs) <= scale s * (form a_l a_c s + 9)) as CC.
  { eapply Rle_trans; [apply ET_le_max; auto|]. now apply cap. }
  apply Rle_trans with (36 * scale s + scale s * (form a_l a_c s + 9)); [|lra].
  apply Rplus_le_compat; [exact SC|]. rewrite <- (E_const P (screen s pairs) (scale s * (form a_l a_c s + 9))).
  apply E_mono; auto. intro x. destruct (certified x); [|cbn [ET]; apply Rmult_le_pos; lra].
  rewrite ET_bind. cbn [ET]. rewrite E_const. lra.
Qed.

Lemma attempt_at_most s k : (k <= s)%nat -> ET P (attempt find screen certificate s k) <= stage_at_most s.
Proof.
  intro Hk. pose proof (find_scale s) as FC. unfold attempt. rewrite ET_bind.
  apply Rle_trans with (scale s * (M * (241/100)) + scale s * (form a_l a_c s + 45)).
  - apply Rplus_le_compat; [exact FC|]. rewrite <- (E_const P (find s) (scale s * (form a_l a_c s + 45))). apply E_mono; auto.
    intro o. now apply after_find.
  - unfold stage_at_most, form. right. ring.
Qed.

Lemma attempt_typical x s k : 0 <= x -> gap s <= Delta -> (k <= s)%nat ->
  (forall pairs, ready pairs -> ET P (certificate s k w pairs) <= scale s * form x t_c s) ->
  ET P (attempt find screen certificate s k) <= typical x s.
Proof.
  intros C3 Hs Hk HT. pose proof (scale_pos s) as S0. destruct coefficients as (C1 & C2 & _ & _ & C4). pose proof (find_scale s) as FC.
  pose proof (form_nonneg a_l a_c s C1 C2) as F0. pose proof (form_nonneg x t_c s C3 C4) as F1. pose proof (find_right s Hs) as Right.
  set (X := scale s * (form a_l a_c s + 45)). assert (0 <= X) as X0 by (apply Rmult_le_pos; lra).
  set (C := 31232/10000 * scale s + scale s * form x t_c s).
  assert (0 <= scale s * form x t_c s) as T0 by (apply Rmult_le_pos; lra).
  unfold attempt. rewrite ET_bind.
  apply Rle_trans with (scale s * (M * (241/100)) + (1/8 * X + C)).
  - apply Rplus_le_compat; [exact FC|].
    apply Rle_trans with (expect P (find s) (fun o => X * (if found w o then 0 else 1) + C)).
    2:{ rewrite E_plus, E_const, E_scal, Pr_not. assert (X * (1 - Pr P (find s) (found w)) <= X * (1/8)) by (apply Rmult_le_compat_l; lra). lra. }
    eapply (E_mono_leaves P P01); [apply find_ready|]. intros o Ho. destruct (found w o) eqn:Fo.
    + destruct (ready_leaf o Ho Fo) as (pairs & -> & Own). cbn [judge]. rewrite ET_bind.
      destruct (screen_right s pairs Hs Own) as [_ SC]. pose proof (HT pairs Own) as CC.
      rewrite Rmult_0_r, Rplus_0_l. unfold C. apply Rplus_le_compat; [exact SC|].
      rewrite <- (E_const P (screen s pairs) (scale s * form x t_c s)). apply E_mono; auto.
      intro o. destruct (certified o); [|cbn [ET]; exact T0]. rewrite ET_bind. cbn [ET]. rewrite E_const, Rplus_0_r. exact CC.
    + eapply Rle_trans; [apply (after_find s k o Hk)|]. fold X. unfold C. lra.
  - unfold X, C, typical, form. set (l := lam + 2 * ln (INR s + 1)).
    replace (scale s * (M * (241 / 100)) + (1 / 8 * (scale s * (M * (a_l * l + a_c) + 45)) + (31232 / 10000 * scale s + scale s * (M * (x * l + t_c)))))
      with (scale s * (M * ((x + a_l / 8) * l + (t_c + a_c / 8 + 241 / 100)) + (31232/10000 + 45/8))) by field.
    apply Rmult_le_compat_l; lra.
Qed.

(** ** What is still to be paid from stage [s] on, [s0] being the first one whose gap is reached *)

Let y := t_l + a_l / 8.
Let v := u_l + a_l / 8.
Let z := t_c + a_c / 8 + 241/100.
Lemma y_nonneg : 0 <= y /\ 0 <= v /\ 0 <= z.
Proof. destruct coefficients as (C1 & C2 & C3 & C4 & C5). unfold y, v, z. repeat split; lra. Qed.

Section From.
Variable s0 : nat.
Hypothesis Hs0 : gap s0 <= Delta.
Definition to_come (s : nat) : R := scale s * (form (3 * v) (3 * z + 12 * v * ln 2) s + 2625/100).
Definition from_s0 : R := scale s0 * (form (y + 2 * v) (3 * z + 12 * v * ln 2) s0 + 2625/100).
Definition before (s : nat) : R := (scale s0 - scale s) / 3 * (form a_l (a_c + 241/100) s0 + 45).
Definition potential (s : nat) : R := if Nat.ltb s0 s then to_come s else from_s0 + before s.

(** [x]: what the winner's certificate takes in this stage. *)
Lemma to_come_step x s : typical x s + 1/6 * to_come (S s) <= scale s * (form (x + a_l / 8 + 2 * v) (3 * z + 12 * v * ln 2) s + 2625/100).
Proof.
  destruct y_nonneg as (_ & Y & Z). unfold typical, to_come, form. fold z. rewrite scale_S. pose proof (scale_pos s) as S0. pose proof M_ge1 as M1.
  assert (ln (INR (S s) + 1) <= ln (INR s + 1) + ln 2) as Q.
  { pose proof (pos_INR s). rewrite <- ln_mult by lra. apply ln_le; rewrite S_INR; lra. }
  set (l := ln (INR s + 1)) in *. set (l' := ln (INR (S s) + 1)) in *.
  apply Rle_trans with (scale s * (M * ((x + a_l / 8) * (lam + 2 * l) + z) + 875/100) +
    1/6 * (4 * scale s * (M * (3 * v * (lam + 2 * (l + ln 2)) + (3 * z + 12 * v * ln 2)) + 2625/100))).
  - apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r.
    apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; lra.
  - right. field.
Qed.

Lemma potential_step s : match Nat.compare s s0 with
    | Lt => stage_at_most s + potential (S s) | Eq => typical t_l s + 1/6 * potential (S s) | Gt => typical u_l s + 1/6 * potential (S s)
    end <= potential s.
Proof.
  unfold potential. destruct (Nat.compare_spec s s0) as [H|H|H].
  - subst s. rewrite Nat.ltb_irrefl. destruct (Nat.ltb_spec s0 (S s0)); [|lia]. eapply Rle_trans; [apply to_come_step|].
    unfold from_s0, before. fold y. right. field.
  - destruct (Nat.ltb_spec s0 s); [lia|]. destruct (Nat.ltb_spec s0 (S s)); [lia|].
    assert (stage_at_most s <= scale s * (form a_l (a_c + 241/100) s0 + 45)) as A.
    { unfold stage_at_most. pose proof (scale_pos s) as S0. destruct coefficients as (C1 & _).
      apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply form_mono; [exact C1|lia]. }
    assert (before (S s) + scale s * (form a_l (a_c + 241/100) s0 + 45) = before s) as B; [|lra].
    unfold before. rewrite scale_S. field.
  - destruct (Nat.ltb_spec s0 s); [|lia]. destruct (Nat.ltb_spec s0 (S s)); [|lia]. eapply Rle_trans; [apply to_come_step|].
    unfold to_come. fold v. replace (v + 2 * v) with (3 * v) by ring. apply Rle_refl.
Qed.

Lemma potential_nonneg s : 0 <= potential s.
Proof.
  destruct y_nonneg as (Y & V & Z). destruct coefficients as (C1 & C2 & _). pose proof ln2_ge as L2.
  assert (0 <= 12 * v * ln 2) as Y2 by (apply Rmult_le_pos; lra).
  assert (forall x t, 0 <= x -> 0 <= scale t * (form x (3 * z + 12 * v * ln 2) t + 2625/100)) as T.
  { intros x t Hx. pose proof (scale_pos t). pose proof (form_nonneg x (3 * z + 12 * v * ln 2) t Hx ltac:(lra)).
    apply Rmult_le_pos; lra. }
  unfold potential. destruct (Nat.ltb_spec s0 s) as [H0|H0]; [apply T; lra|]. specialize (T (y + 2 * v) s0 ltac:(lra)). fold from_s0 in T.
  assert (scale s <= scale s0) as Sc.
  { clear - H0. induction H0 as [|t _ IH]; [lra|]. rewrite scale_S. pose proof (scale_pos t). lra. }
  pose proof (form_nonneg a_l (a_c + 241/100) s0 C1 ltac:(lra)).
  assert (0 <= before s); [|lra]. unfold before. apply Rmult_le_pos; lra.
Qed.

Lemma stages_cost n : forall s k, (k <= s)%nat -> ET P (stages find screen certificate n s k) <= potential s.
Proof.
  induction n as [|n IH]; intros s k Hk; [cbn [stages ET]; apply potential_nonneg|].
  pose proof (potential_nonneg (S s)) as P0. pose proof (potential_step s) as Step. cbn [stages]. rewrite ET_bind.
  assert (expect P (attempt find screen certificate s k) (fun r => ET P (match r return prog (option arm) with (_, Some c) => Ret (Some c)
            | (begun, None) => stages find screen certificate n (S s) (if begun then S k else k) end))
          <= potential (S s) * Pr P (attempt find screen certificate s k) failed) as K.
  { unfold Pr. rewrite <- E_scal. apply E_mono; auto. intros [begun [c|]]; cbn [failed ET].
    - destruct begun; cbn; lra.
    - specialize (IH (S s) (if begun then S k else k) ltac:(destruct begun; lia)). destruct begun; cbn [failed]; lra. }
  eapply Rle_trans; [apply Rplus_le_compat_l; exact K|]. eapply Rle_trans; [|exact Step].
  assert (forall x, gap s <= Delta -> ET P (attempt find screen certificate s k) <= typical x s ->
    ET P (attempt find screen certificate s k) + potential (S s) * Pr P (attempt find screen certificate s k) failed <= typical x s + 1/6 * potential (S s)) as Late.
  { intros x G T. pose proof (attempt_right s k Hk G) as Q. apply (Rmult_le_compat_l (potential (S s))) in Q; lra. }
  destruct coefficients as (_ & _ & C3 & C4 & _). destruct (Nat.compare_spec s s0) as [H|H|H].
  - subst s. apply Late; [exact Hs0|]. apply attempt_typical; auto. intros pairs Own. now apply right.
  - pose proof (attempt_at_most s k Hk). pose proof (Pr_le1 P P01 (attempt find screen certificate s k) failed) as Q.
    apply (Rmult_le_compat_l (potential (S s))) in Q; lra.
  - assert (2 * gap s <= Delta) as G.
    { destruct s as [|s]; [lia|]. rewrite gap_S. pose proof (gap_le s0 s ltac:(lia)). lra. }
    pose proof (gap_range s). assert (gap s <= Delta) as G1 by lra. apply Late; [exact G1|].
    apply attempt_typical; auto.
Qed.

(** ** Termination *)

Lemma stages_run_out n : forall s k, (k <= s)%nat -> (s0 <= s)%nat -> Pr P (stages find screen certificate n s k) ran_out <= (1/6) ^ n.
Proof.
  induction n as [|n IH]; intros s k Hk H; [unfold Pr; cbn; lra|]. cbn [stages pow]. unfold Pr. rewrite E_bind.
  assert (gap s <= Delta) as G by (eapply Rle_trans; [apply gap_le; exact H|exact Hs0]).
  pose proof (attempt_right s k Hk G) as Q. assert (0 <= (1/6) ^ n) as Pn by (apply pow_le; lra).
  apply Rle_trans with (expect P (attempt find screen certificate s k) (fun r => (1/6) ^ n * (if failed r then 1 else 0))).
  - apply E_mono; auto. intros [begun [c|]]; [destruct begun; cbn; lra|].
    specialize (IH (S s) (if begun then S k else k) ltac:(destruct begun; lia) ltac:(lia)). unfold Pr in IH. destruct begun; cbn [failed]; lra.
  - rewrite E_scal. fold (Pr P (attempt find screen certificate s k) failed). apply (Rmult_le_compat_r ((1/6) ^ n)) in Q; lra.
Qed.

Lemma stages_run_out_later j n : forall s k, (k <= s)%nat -> (s0 <= s + j)%nat -> Pr P (stages find screen certificate (j + n) s k) ran_out <= (1/6) ^ n.
Proof.
  induction j as [|j IH]; intros s k Hk H; [apply stages_run_out; lia|]. cbn [Nat.add stages]. unfold Pr. rewrite E_bind.
  assert (0 <= (1/6) ^ n) as Pn by (apply pow_le; lra). rewrite <- (E_const P (attempt find screen certificate s k) ((1/6) ^ n)).
  apply E_mono; auto. intros [begun [c|]]; [destruct begun; cbn; lra|].
  specialize (IH (S s) (if begun then S k else k) ltac:(destruct begun; lia) ltac:(lia)). unfold Pr in IH. destruct begun; exact IH.
Qed.
End From.

(** All that was said of the stages, put together. *)
Lemma stages_identify C_l C_c : 0 < Delta <= 1/2 -> (forall s, starts (find s)) ->
  (forall n, Pr P (stages find screen certificate n 0 0) (wrong w) <= delta) ->
  4 * (y + 2 * v + a_l / 3) <= C_l -> 4 * (3 * z + 12 * v * (347/500) + (a_c + 241/100) / 3) + 736/1000 * C_l <= C_c ->
  identifies P w (fun n => stages find screen certificate n 0 0) delta (duels_at_most C_l C_c N Delta delta).
Proof.
  intros HD Starts Err HCl HCc.
  destruct (first_stage Delta ltac:(lra)) as (s0 & G0 & First).
  assert (Cost : forall n, ET P (stages find screen certificate n 0 0) <= duels_at_most C_l C_c N Delta delta).
  { intro n. eapply Rle_trans; [apply (stages_cost s0 G0 n 0 0 (le_n 0))|].
    destruct (loglog Delta s0 HD First) as [Sc LL]. pose proof (scale_pos s0) as S0. pose proof lam_pos as L0. pose proof M_ge1 as M1.
    pose proof (ln_S_nonneg s0) as LS. pose proof ln2_le. pose proof ln2_ge. destruct coefficients as (C1 & C2 & C3 & C4 & C5).
    destruct y_nonneg as (Y & V & Z).
    unfold potential. destruct (Nat.ltb_spec s0 0) as [E|_]; [lia|]. unfold from_s0, before, form.
    set (l := ln (INR s0 + 1)) in *. set (ll := ln (ln (/ Delta) + 1)) in *.
    set (D := M * (a_l * (lam + 2 * l) + (a_c + 241/100)) + 45).
    assert (0 <= D) as D0.
    { unfold D. assert (0 <= a_l * (lam + 2 * l)) by (apply Rmult_le_pos; lra).
      assert (0 <= M * (a_l * (lam + 2 * l) + (a_c + 241/100))) by (apply Rmult_le_pos; lra). lra. }
    set (T := M * ((y + 2 * v) * (lam + 2 * l) + (3 * z + 12 * v * ln 2)) + 2625/100).
    apply Rle_trans with (scale s0 * (T + D / 3)).
    { pose proof (scale_pos 0) as Z0. assert (0 <= scale 0 * (D / 3)) by (apply Rmult_le_pos; lra).
      replace ((scale s0 - scale 0) / 3 * D) with (scale s0 * (D / 3) - scale 0 * (D / 3)) by field. lra. }
    set (c := y + 2 * v + a_l / 3) in *. set (e := 3 * z + 12 * v * (347/500) + (a_c + 241/100) / 3) in *.
    assert (0 <= c) as C0 by (unfold c; lra). assert (0 <= e) as E0 by (unfold e; lra).
    assert (T + D / 3 <= M * (c * (lam + 2 * l) + e) + 4125/100) as TD.
    { assert (12 * v * ln 2 <= 12 * v * (347/500)) as Y2 by (apply Rmult_le_compat_l; lra).
      apply (Rmult_le_compat_l M) in Y2; [|lra]. unfold T, D, c, e. lra. }
    assert (0 < Delta * Delta) as D2 by nra. assert (0 <= ll) as LL0.
    { unfold ll. pose proof (ln_inv_gap Delta HD). rewrite <- ln_1. apply ln_le; lra. }
    assert (0 <= c * (lam + 2 * l)) as CL0 by (apply Rmult_le_pos; lra).
    assert (0 <= M * (c * (lam + 2 * l) + e)) as ME by (apply Rmult_le_pos; lra).
    apply Rle_trans with (4 / (Delta * Delta) * (M * (c * (lam + 2 * l) + e) + 4125/100)).
    { apply Rle_trans with (scale s0 * (M * (c * (lam + 2 * l) + e) + 4125/100)); [apply Rmult_le_compat_l; lra|apply Rmult_le_compat_r; lra]. }
    unfold duels_at_most, C_once. fold M lam ll.
    replace (4 / (Delta * Delta) * (M * (c * (lam + 2 * l) + e) + 4125/100))
      with ((M * (4 * c * (lam + 2 * l) + 4 * e) + 165) / (Delta * Delta)) by (field; lra).
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; [lra|].
    assert (4 * c * (lam + 2 * l) <= C_l * (lam + 2 * (ll + 368/1000))) by (apply Rmult_le_compat; lra). lra. }
  assert (Ends : is_lim_seq (fun n => Pr P (stages find screen certificate n 0 0) ran_out) 0).
  { apply (is_lim_seq_incr_n _ s0). apply (is_lim_seq_le_le (fun _ => 0) _ (fun n => (1/6) ^ n)).
    - intro n. split; [apply Pr_nonneg; auto|]. rewrite Nat.add_comm.
      eapply stages_run_out_later; eauto; lia.
    - apply is_lim_seq_const.
    - apply is_lim_seq_geom. rewrite Rabs_right; lra. }
  assert (Ref : forall n, refines (stages find screen certificate n 0 0) (stages find screen certificate (S n) 0 0)) by (intro; apply stages_refine).
  split; [exact Err|]. split; [split; [exact Cost|now apply limit_ET]|].
  split; [intros T F F' H H'; now apply stages_agree|]. split; [exact Ends|]. now apply limit_right.
Qed.
End Stage.


(** ** The champion's own certificate *)

Lemma own_cap N delta s k c pairs : (2 <= N)%nat -> 0 < delta < 1 -> (k <= s)%nat ->
  INR (maxT (certificate N delta s k c pairs)) <= scale s * (form N delta 2 (473/100) s + 9).
Proof.
  intros HN Hd Hk. eapply Rle_trans; [apply le_INR, within_budget|]. cbv zeta.
  pose proof (scale_pos s) as S0. pose proof (M_ge1 N HN) as M1. pose proof ln2_le.
  set (a := certificate_level delta k). destruct (level_range delta k Hd) as [A0 A1]. fold a in A0, A1.
  destruct (ln_4_level delta k Hd) as [U _]. fold a in U. destruct (budget_range N s a ltac:(lra)) as [_ BU].
  pose proof (ln_S_mono k s Hk) as LK. eapply Rle_trans; [exact BU|]. unfold form.
  set (M := INR (N - 1)) in *. set (l := ln (/ delta) + 2 * ln (INR s + 1)).
  assert (M * (2 * scale s * ln (4 / a) + 4) <= M * (scale s * (2 * l + 473/100))); [|lra].
  apply Rmult_le_compat_l; [lra|].
  assert (scale s * ln (4 / a) <= scale s * (l + 3 * (347/500))) by (unfold l; apply Rmult_le_compat_l; lra). lra.
Qed.

(** The duels of the matches together, within any budget. *)
Lemma matches_time P (P01 : forall u v, 0 <= P u v <= 1) N delta s B (test : arm -> arm -> prog (option arm)) pairs t x z : length pairs = (N - 1)%nat -> 0 <= t ->
  (forall u v, In (u, v) pairs -> ET P (test u v) <= t) -> t <= scale s * (x * (ln (/ delta) + 2 * ln (INR s + 1)) + z) ->
  ET P (within B (certify test pairs)) <= scale s * form N delta x z s.
Proof.
  intros HL T0 T H. eapply Rle_trans; [apply refines_ET; [exact P01|apply within_refines]|].
  eapply Rle_trans; [apply certify_time with (t := t); auto|]. rewrite HL. unfold form.
  apply (Rmult_le_compat_l (INR (N - 1))) in H; [lra|apply pos_INR].
Qed.

(** Matches that the winner [w] has to win. *)
Definition own (P : arm -> arm -> R) (N : nat) (Delta : R) (pairs : list (arm * arm)) : Prop :=
  length pairs = (N - 1)%nat /\ forall u v, In (u, v) pairs -> u <> v /\ 1/2 + Delta <= P u v.

Lemma own_right P N w Delta delta s k pairs : valid P -> (2 <= N)%nat -> 0 < delta < 1 -> (k <= s)%nat -> gap s <= Delta -> own P N Delta pairs ->
  1 - (/ 4096 + (10/27) ^ 5) <= Pr P (certificate N delta s k w pairs) certified /\
  ET P (certificate N delta s k w pairs) <= scale s * form N delta (1/2) (1041/1000) s.
Proof.
  intros HP HN Hd Hk Hs [HL Ho]. pose proof (valid_01 P HP) as P01. pose proof (gap_range s) as Hg. pose proof (scale_pos s) as S0.
  pose proof (M_ge1 N HN) as M1. pose proof ln2_le. set (a := certificate_level delta k). destruct (level_range delta k Hd) as [A0 A1]. fold a in A0, A1.
  destruct (ln_4_level delta k Hd) as [U _]. fold a in U. pose proof (ln_S_mono k s Hk) as LK.
  destruct (match_rule_admissible (gap s) a (certificate_loss N) Hg) as (Rule & _ & _). destruct (loss_pos N HN) as [_ E0].
  unfold certificate. fold a. cbv zeta. set (B := certificate_budget N s a).
  destruct (certificate_complete P (gap s) (a / 2) (certificate_loss N) (match_rule (gap s) a (certificate_loss N)) B B pairs) as [C _]; auto; try lra.
  { intros u v Hin. destruct (Ho u v Hin) as [X Y]. split; [exact X|lra]. }
  rewrite HL in C. split.
  - eapply Rle_trans; [|exact C]. apply Rplus_le_compat_l, Ropp_le_contravar, Rplus_le_compat; [now apply loss_small|].
    apply budget_enough; [exact HN|lra].
  - apply matches_time with (t := L_time (gap s) (a / 2)); auto; [apply L_time_nonneg; lra| |].
    + intros u v Hin. destruct (Ho u v Hin) as [_ Y]. apply one_sided_time; auto; [lra|lra|]. intros n x Hx. apply Rule, Hx.
    + pose proof (L_time_scale s a ltac:(lra)).
      assert (scale s * ln (4 / a) <= scale s * (ln (/ delta) + 2 * ln (INR s + 1) + 3 * (347/500))) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** A gap of twice [g] takes a third of the time. *)
Lemma double_drift g p : 0 < g <= 1/4 -> 1/2 + 2 * g <= p <= 1 -> 6 * (g * g) <= p * ln (1 + 2 * g) + (1 - p) * ln (1 - 2 * g).
Proof.
  intros Hg Hp. pose proof (ln_L_drift g (p - g) ltac:(lra) ltac:(lra)) as D. pose proof (ln_odds g ltac:(lra)) as O.
  unfold odds, Rdiv in O. rewrite ln_mult, ln_Rinv in O by (try apply Rinv_0_lt_compat; lra).
  apply (Rmult_le_compat_l g) in O; lra.
Qed.
Lemma one_sided_later g P d u v stop fin F : valid P -> 0 < g < 1/2 -> 0 < d <= 1 -> 1/2 + 2 * g <= P u v ->
  (forall n s, (s <= n)%nat -> stop n s = None -> reaches (likelihood g) d n s = false) ->
  ET P (seqtest stop fin F 0 0 u v) <= L_time g d / 3.
Proof.
  intros HP Hg Hd Hp Hs. pose proof (valid_01 P HP u v) as P1. assert (0 < g * g) by nra.
  replace (L_time g d / 3) with ((ln (/ d) + ln (1 + 2 * g)) / (6 * (g * g))) by (unfold L_time; field; lra).
  apply likelihood_time; auto; [lra|]. apply double_drift; lra.
Qed.

Lemma own_later P N w Delta delta s k pairs : valid P -> (2 <= N)%nat -> 0 < delta < 1 -> (k <= s)%nat -> 2 * gap s <= Delta -> own P N Delta pairs ->
  ET P (certificate N delta s k w pairs) <= scale s * form N delta (1/6) (1041/1000) s.
Proof.
  intros HP HN Hd Hk Hs [HL Ho]. pose proof (valid_01 P HP) as P01. pose proof (gap_range s) as Hg. pose proof (scale_pos s) as S0.
  pose proof (M_ge1 N HN) as M1. pose proof ln2_le. set (a := certificate_level delta k). destruct (level_range delta k Hd) as [A0 A1]. fold a in A0, A1.
  destruct (ln_4_level delta k Hd) as [U _]. fold a in U. pose proof (ln_S_mono k s Hk) as LK.
  destruct (match_rule_admissible (gap s) a (certificate_loss N) Hg) as (Rule & _ & _).
  unfold certificate. fold a. cbv zeta. set (B := certificate_budget N s a).
  pose proof (L_time_scale s a ltac:(lra)) as LT. pose proof (L_time_nonneg (gap s) (a / 2) Hg ltac:(lra)) as L0.
  apply matches_time with (t := L_time (gap s) (a / 2) / 3); auto; [lra| |].
  - intros u v Hin. destruct (Ho u v Hin) as [_ Y]. apply one_sided_later; auto; [lra|lra|]. intros n x Hx. apply Rule, Hx.
  - assert (scale s * ln (4 / a) <= scale s * (ln (/ delta) + 2 * ln (INR s + 1) + 3 * (347/500))) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem find_then_certify_identifies : find_then_certify_identifies_statement.
Proof.
  intros P N w Delta find delta HC HD HN Hd (Leaf & Starts & FCost & FRight). destruct HC as [P01 PA Hw Win].
  assert (valid P) as HP by (split; assumption). unfold find_then_certify.
  apply (stages_identify P HP find (certificate N delta) N w Delta delta HN Hd 2 (473/100) (1/2) (1/6) (1041/1000)) with (ready := own P N Delta);
    auto; try lra.
  - intros; now apply own_cap.
  - intros pairs u v [_ Ho] Hin. apply Ho. destruct pairs as [|p l]; [destruct Hin|]. cbn in Hin. destruct Hin as [->|[]]. left; reflexivity.
  - intros; now apply (own_right P N w Delta).
  - intros; now apply (own_later P N w Delta).
  - intro s. eapply leaves_impl; [apply Leaf|]. intros [[c pairs]|]; [|auto]. intros (Hc & order & -> & HL & HI) ->. split.
    + unfold against. now rewrite map_length.
    + intros u v Hin. apply in_map_iff in Hin. destruct Hin as (j & [= <- <-] & Hj). apply HI in Hj. destruct Hj. split; [congruence|now apply Win].
  - intro n. eapply Rle_trans; [|apply (stages_error P find (certificate N delta) (fun c => negb (Nat.eqb c w)) delta n P01 Hd)].
    { right. apply E_ext. intros [c|]; reflexivity. }
    intro s. eapply leaves_impl; [apply Leaf|]. intros [[c pairs]|]; [|auto]. intros (Hc & order & -> & _ & HI) Hb k.
    apply negb_true_iff, Nat.eqb_neq in Hb. specialize (Win c Hc Hb).
    apply (certificate_wrong P N delta s k c c w); auto; [rewrite PA; lra|].
    apply in_map_iff. exists w. split; [reflexivity|]. apply HI. auto.
  - unfold C_level. lra.
  - unfold C_level, C_arm. lra.
Qed.

(** ** Where a winner is known to exist *)

Lemma exp_time_bind {A B} P (P01 : forall u v, 0 <= P u v <= 1) h (m : prog A) (k : A -> prog B) K : 0 <= h -> 0 <= K ->
  (forall a, exp_time P h (k a) <= K) -> exp_time P h (bind m k) <= exp (INR (maxT m) * h) * K.
Proof.
  intros Hh HK H. induction m as [a|t u v f IH]; cbn [bind exp_time maxT].
  - simpl (INR 0). rewrite Rmult_0_l, exp_0, Rmult_1_l. apply H.
  - rewrite S_INR. replace ((INR (Nat.max (maxT (f true)) (maxT (f false))) + 1) * h) with (h + INR (Nat.max (maxT (f true)) (maxT (f false))) * h) by ring.
    rewrite exp_plus, Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos|].
    apply conv_le; [apply P01|eapply Rle_trans; [apply IH|]|eapply Rle_trans; [apply IH|]]; (apply Rmult_le_compat_r; [exact HK|]);
      apply exp_le, Rmult_le_compat_r; auto; apply le_INR; lia.
Qed.

Lemma uncut_bind {A B} T (m : prog A) (k : A -> prog (option B)) : (forall a, uncut T (k a) = true) -> uncut T (bind m k) = true.
Proof.
  intro H. assert (forall T', (T' <= T)%nat -> uncut T' (bind m k) = true) as G; [|now apply G].
  induction m as [a|t u v f IH]; intros T' HT; cbn [bind].
  - apply (uncut_le T); auto.
  - destruct T' as [|T']; [reflexivity|]. cbn [uncut]. rewrite !IH by lia. reflexivity.
Qed.

Lemma bold_range s a : 0 < a < 1 -> INR (bold_budget s a) <= scale s / 2 * ln (2 / a) + 1.
Proof.
  intro Ha. pose proof (gap_range s) as Hg. pose proof (scale_pos s) as S0. set (x := 1 / (2 * (gap s * gap s)) * ln (2 / a)).
  assert (x = scale s / 2 * ln (2 / a)) as X by (unfold x; rewrite <- scale_inv; field; lra).
  assert (0 < ln (2 / a)) as L0.
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with a; [lra|]. replace (2 / a * a) with 2 by (field; lra). lra. }
  assert (0 < x) as X0 by (rewrite X; apply Rmult_lt_0_compat; lra). destruct (ceil_spec x X0) as [_ C2].
  unfold bold_budget. change (bbudget truncated_sprt (gap s) a) with (ceil x). lra.
Qed.

(** Its level is half of the other one's. *)
Lemma half_levels delta k s : 0 < delta < 1 -> (k <= s)%nat -> let a := certificate_level delta k / 2 in let l := ln (/ delta) + 2 * ln (INR s + 1) in
  0 < a <= 1/3 /\ ln (4 / a) <= l + 4 * (347/500) /\ ln (2 / a) <= l + 3 * (347/500).
Proof.
  intros Hd Hk a l. destruct (level_range delta k Hd) as [A0 A1]. destruct (ln_4_level delta k Hd) as [U _]. pose proof (ln_S_mono k s Hk). pose proof ln2_le.
  assert (0 < 4 / certificate_level delta k) by (apply Rdiv_lt_0_compat; lra).
  split; [unfold a; lra|]. split.
  - replace (4 / a) with (2 * (4 / certificate_level delta k)) by (unfold a; field; lra). rewrite ln_mult by lra. unfold l. lra.
  - replace (2 / a) with (4 / certificate_level delta k) by (unfold a; field; lra). unfold l. lra.
Qed.

Lemma winner_cap N delta s k c pairs : (2 <= N)%nat -> 0 < delta < 1 -> (k <= s)%nat ->
  INR (maxT (certificate_of_winner N delta s k c pairs)) <= scale s * (form N delta (5/2) (73/10) s + 9).
Proof.
  intros HN Hd Hk. eapply Rle_trans; [apply le_INR, within_budget|]. rewrite plus_INR, mult_INR.
  pose proof (scale_pos s) as S0. pose proof (M_ge1 N HN) as M1.
  destruct (half_levels delta k s Hd Hk) as (A & U4 & U2). set (a := certificate_level delta k / 2) in *.
  destruct (budget_range N s a ltac:(lra)) as [_ BU]. pose proof (bold_range s a ltac:(lra)) as BB. unfold form.
  set (M := INR (N - 1)) in *. set (l := ln (/ delta) + 2 * ln (INR s + 1)) in *.
  assert (M * INR (bold_budget s a) <= M * (scale s / 2 * (l + 3 * (347/500)) + 1)) as Q1.
  { apply Rmult_le_compat_l; [lra|]. assert (scale s / 2 * ln (2 / a) <= scale s / 2 * (l + 3 * (347/500))) by (apply Rmult_le_compat_l; lra). lra. }
  assert (M * (2 * scale s * ln (4 / a) + 4) <= M * (2 * scale s * (l + 4 * (347/500)) + 4)) as Q2.
  { apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; lra. }
  assert (M * (scale s / 2 * (l + 3 * (347/500)) + 1 + (2 * scale s * (l + 4 * (347/500)) + 4)) <= M * (scale s * (5 / 2 * l + 73/10))) as Q3; [|lra].
  apply Rmult_le_compat_l; lra.
Qed.

Lemma either_time P (P01 : forall u v, 0 <= P u v <= 1) N s a F w u v t : 0 <= t ->
  ET P (one_sided (gap s) a (certificate_loss N) F w v) <= t -> ET P (either N s a F w u v) <= INR (bold_budget s a) + t.
Proof.
  intros Ht H. unfold either. pose proof (pos_INR (bold_budget s a)). destruct (Nat.eqb u w); [lra|]. rewrite ET_bind.
  set (bold := seqtest _ _ _ _ _ _ _). apply Rplus_le_compat.
  - eapply Rle_trans; [apply ET_le_max; auto|]. apply le_INR, seqtest_maxT.
  - rewrite <- (E_const P bold t). apply E_mono; auto. intro o. destruct (is_arm u o); [exact Ht|].
    eapply Rle_trans; [apply (ET_obind P P01) with (Q := fun _ => True) (c := 0); [lra|apply leaves_true|intros; cbn; lra]|]. lra.
Qed.

Definition winner_ready (P : arm -> arm -> R) (N : nat) (w : arm) (Delta : R) (pairs : list (arm * arm)) : Prop :=
  length pairs = (N - 1)%nat /\ (forall u v, In (u, v) pairs -> u <> v /\ v <> w /\ 1/2 + Delta <= P w v) /\
  (forall u v, In (u, v) (firstn 1 pairs) -> u = w).

Lemma winner_right P N w Delta delta s k pairs : valid P -> (2 <= N)%nat -> 0 < delta < 1 -> (k <= s)%nat -> gap s <= Delta ->
  winner_ready P N w Delta pairs ->
  1 - (/ 4096 + (10/27) ^ 5) <= Pr P (certificate_of_winner N delta s k w pairs) certified /\
  ET P (certificate_of_winner N delta s k w pairs) <= scale s * form N delta 1 (257/100) s.
Proof.
  intros HP HN Hd Hk Hs (HL & Ho & _). pose proof (valid_01 P HP) as P01. pose proof (gap_range s) as Hg. pose proof (scale_pos s) as S0.
  pose proof (M_ge1 N HN) as M1. destruct (half_levels delta k s Hd Hk) as (A & U4 & U2). unfold certificate_of_winner. cbv zeta.
  set (a := certificate_level delta k / 2) in *.
  destruct (match_rule_admissible (gap s) a (certificate_loss N) Hg) as (Rule & _ & _). destruct (loss_pos N HN) as [_ E0].
  set (b := bold_budget s a). set (B := (certificate_budget N s a + (N - 1) * b)%nat). set (h := gap s * gap s / 2).
  assert (0 <= h) as Hh by (unfold h; nra). set (K := sqrt ((1 + 2 * gap s) / (a / 2))).
  destruct (root_level (gap s) (a / 2) Hg ltac:(lra)) as [K1 LK]. fold K in K1, LK.
  set (K' := exp (INR b * h) * K).
  assert (1 <= exp (INR b * h)) as EB.
  { pose proof (exp_ineq1_le (INR b * h)). assert (0 <= INR b * h) by (apply Rmult_le_pos; [apply pos_INR|exact Hh]). lra. }
  assert (K <= K') as KK by (unfold K'; rewrite <- (Rmult_1_l K) at 1; apply Rmult_le_compat_r; lra).
  assert (ln K' = INR b * h + ln K) as LK' by (unfold K'; rewrite ln_mult, ln_exp; [reflexivity|apply exp_pos|lra]).
  (* one match *)
  set (mine := fun v => one_sided (gap s) a (certificate_loss N) B w v).
  assert (Own : forall v, v <> w -> 1/2 + Delta <= P w v ->
    Pr P (mine v) (wrong w) <= certificate_loss N /\ exp_time P h (mine v) <= K).
  { intros v Hv Hp. split.
    - eapply Rle_trans; [apply (wrong_loser P P01) with (y := v); [congruence|apply seqtest_leaves]|].
      apply (one_sided_loss (gap s)); auto; [lra|]. intros n x Hx. apply Rule, Hx.
    - apply one_sided_exp_time; auto; [lra|lra|]. intros n x Hx. apply Rule, Hx. }
  assert (OwnUncut : forall v, uncut B (mine v) = true) by (intro; apply seqtest_uncut; lia).
  assert (One : forall u v, In (u, v) pairs -> Pr P (either N s a B w u v) (wrong u) <= certificate_loss N /\
            exp_time P h (either N s a B w u v) <= K').
  { intros u v Hin. destruct (Ho u v Hin) as (Huv & Hv & Hp). destruct (Own v Hv Hp) as [O1 O2]. unfold either. fold (mine v).
    destruct (Nat.eqb_spec u w) as [->|Huw]; [split; [exact O1|lra]|].
    set (bold := seqtest (bold_rule s a) never (bold_budget s a) 0 0 u v).
    set (after := fun o => if is_arm u o then Ret (Some u) else obind (mine v) (fun x => Ret (Some (if Nat.eqb x w then u else v)))).
    assert (Mb : (maxT bold <= b)%nat) by (apply seqtest_maxT).
    assert (Af : forall o, Pr P (after o) (wrong u) <= certificate_loss N /\ exp_time P h (after o) <= K).
    { intro o. unfold after. destruct (is_arm u o).
      - split; [unfold Pr; cbn; rewrite Nat.eqb_refl; cbn; exact E0|]. cbn. lra.
      - split.
        + eapply Rle_trans; [|exact O1]. unfold Pr, obind. rewrite E_bind. apply E_mono; auto. intros [x|]; cbn; [|lra].
          destruct (Nat.eqb x w); cbn; [rewrite Nat.eqb_refl; cbn; lra|]. destruct (Nat.eqb v u); cbn; lra.
        + rewrite <- (Rmult_1_r K). eapply Rle_trans; [apply exp_time_obind with (K := 1); auto; [lra|intro; cbn; lra]|]. lra. }
    split.
    - unfold Pr. rewrite E_bind. rewrite <- (E_const P bold (certificate_loss N)). apply E_mono; auto. intro o. apply Af.
    - eapply Rle_trans; [apply exp_time_bind with (K := K); auto; [lra|intro; apply Af]|]. unfold K'. apply Rmult_le_compat_r; [lra|].
      apply exp_le, Rmult_le_compat_r; [exact Hh|]. now apply le_INR. }
  assert (Uncut : forall u v, uncut B (either N s a B w u v) = true).
  { intros u v. unfold either. fold (mine v). destruct (Nat.eqb u w); [apply OwnUncut|]. apply uncut_bind. intro o.
    destruct (is_arm u o); [destruct B; reflexivity|]. apply uncut_obind with (Q := fun _ => True); auto using leaves_true.
    intros; destruct B; reflexivity. }
  split.
  - eapply Rle_trans; [|apply (certify_complete P P01 (either N s a B w) h K' (certificate_loss N) B pairs Hh ltac:(lra) E0 Uncut)].
    2: exact One.
    apply Rplus_le_compat_l, Ropp_le_contravar. rewrite HL. apply Rplus_le_compat; [now apply loss_small|].
    assert (INR (N - 1) * ln K' - INR B * h = INR (N - 1) * (ln ((1 + 2 * gap s) / (a / 2)) / 2) - INR (certificate_budget N s a) * h) as ->.
    { rewrite LK', LK. unfold B. rewrite plus_INR, mult_INR. ring. }
    apply budget_enough; [exact HN|lra].
  - pose proof (L_time_nonneg (gap s) (a / 2) Hg ltac:(lra)) as L0. pose proof (pos_INR b).
    apply matches_time with (t := INR b + L_time (gap s) (a / 2)); auto; [lra| |].
    + intros u v Hin. destruct (Ho u v Hin) as (_ & _ & Y). apply either_time; [exact P01|lra|]. apply one_sided_time; auto; [lra|lra|].
      intros n x Hx. apply Rule, Hx.
    + pose proof (L_time_scale s a ltac:(lra)) as LT. pose proof (bold_range s a ltac:(lra)) as BB. fold b in BB.
      apply (Rmult_le_compat_l (scale s)) in U4, U2; lra.
Qed.

Lemma winner_later P N w Delta delta s k pairs : valid P -> (2 <= N)%nat -> 0 < delta < 1 -> (k <= s)%nat -> 2 * gap s <= Delta ->
  winner_ready P N w Delta pairs -> ET P (certificate_of_winner N delta s k w pairs) <= scale s * form N delta (2/3) (257/100) s.
Proof.
  intros HP HN Hd Hk Hs (HL & Ho & _). pose proof (valid_01 P HP) as P01. pose proof (gap_range s) as Hg. pose proof (scale_pos s) as S0.
  pose proof (M_ge1 N HN) as M1. destruct (half_levels delta k s Hd Hk) as (A & U4 & U2). unfold certificate_of_winner. cbv zeta.
  set (a := certificate_level delta k / 2) in *. set (B := (certificate_budget N s a + (N - 1) * bold_budget s a)%nat).
  destruct (match_rule_admissible (gap s) a (certificate_loss N) Hg) as (Rule & _ & _).
  pose proof (L_time_scale s a ltac:(lra)) as LT. pose proof (bold_range s a ltac:(lra)) as BB. pose proof (L_time_nonneg (gap s) (a / 2) Hg ltac:(lra)) as L0.
  pose proof (pos_INR (bold_budget s a)) as B0.
  apply matches_time with (t := INR (bold_budget s a) + L_time (gap s) (a / 2) / 3); auto; [lra| |].
  - intros u v Hin. destruct (Ho u v Hin) as (_ & _ & Y). apply either_time; [exact P01|lra|]. apply one_sided_later; auto; [lra|lra|].
    intros n x Hx. apply Rule, Hx.
  - apply (Rmult_le_compat_l (scale s)) in U4, U2; lra.
Qed.

Theorem find_then_certify_winner_identifies : find_then_certify_winner_identifies_statement.
Proof.
  intros P N w Delta find delta HC HD HN Hd (Leaf & Starts & FCost & FRight). destruct HC as [P01 PA Hw Win].
  assert (valid P) as HP by (split; assumption).
  apply (stages_identify P HP find (certificate_of_winner N delta) N w Delta delta HN Hd (5/2) (73/10) 1 (2/3) (257/100))
    with (ready := winner_ready P N w Delta); auto; try lra.
  - intros; now apply winner_cap.
  - intros pairs u v (_ & Ho & Hf) Hin. rewrite <- (Hf u v Hin) in Ho.
    destruct (Ho u v) as (X & _ & Y); [|split; auto]. destruct pairs as [|p l]; [destruct Hin|]. cbn in Hin. destruct Hin as [->|[]]. left; reflexivity.
  - intros; now apply (winner_right P N w Delta).
  - intros; now apply (winner_later P N w Delta).
  - intro s. eapply leaves_impl; [apply Leaf|]. intros [[c pairs]|]; [|auto]. intros (Hc & HL & Hp & _ & Hf) ->. split; [exact HL|]. split; [|exact Hf].
    intros u v Hin. destruct (Hp u v Hin) as (_ & Hv & Huv & Hvw). split; [exact Huv|]. split; [exact Hvw|now apply Win].
  - intro n. apply (find_then_certify_winner_error P N w find delta n); auto. intros j Hj Hjw. specialize (Win j Hj Hjw). lra.
  - unfold C_winner_level. lra.
  - unfold C_winner_level, C_winner_arm. lra.
Qed.

(** ** The knockout *)

(** What is noted: everybody but the survivors [X], by whom they were thrown out; the last of these is still there. *)
Record notes (entrants X : list arm) (noted : list (arm * arm)) : Prop := {
  n_all : Permutation (X ++ map snd noted) entrants;
  n_pairs : forall u v, In (u, v) noted -> In u entrants /\ u <> v;
  n_last : match noted with [] => True | (u, _) :: _ => In u X end }.

Lemma notes_perm entrants X Y noted : Permutation X Y -> notes entrants X noted -> notes entrants Y noted.
Proof.
  intros H [A B C]. split; auto.
  - eapply Permutation_trans; [apply Permutation_app_tail, Permutation_sym, H|exact A].
  - destruct noted as [|[u v] noted]; [auto|]. eapply Permutation_in; eauto.
Qed.

Lemma noted_match entrants R u v x y Y noted : NoDup entrants -> x = u /\ y = v \/ x = v /\ y = u -> notes entrants (R ++ u :: v :: Y) noted ->
  notes entrants ((R ++ [x]) ++ Y) ((x, y) :: noted).
Proof.
  intros ND Hxy [A B C].
  assert (Permutation (((R ++ [x]) ++ Y) ++ map snd ((x, y) :: noted)) entrants) as D.
  { eapply Permutation_trans; [|exact A]. cbn [map snd]. eapply Permutation_trans; [apply Permutation_sym, Permutation_middle|].
    rewrite <- !app_assoc. cbn [app]. eapply Permutation_trans; [apply Permutation_middle|]. apply Permutation_app_head.
    destruct Hxy as [[-> ->]|[-> ->]]; [apply perm_swap|reflexivity]. }
  assert (forall z, z = u \/ z = v -> In z entrants) as In'.
  { intros z Hz. apply (Permutation_in _ A), in_or_app. left. apply in_or_app. right. simpl. destruct Hz; auto. }
  assert (u <> v) as Ne.
  { assert (NoDup (R ++ (u :: v :: Y) ++ map snd noted)) as ND'.
    { rewrite app_assoc. eapply Permutation_NoDup; [apply Permutation_sym; exact A|exact ND]. }
    clear - ND'. induction R as [|z R IH]; cbn [app] in ND'; inversion ND' as [|? ? Nu ND'']; auto. intros ->. apply Nu. simpl; auto. }
  split; [exact D| |].
  - intros a b [[= <- <-]|H]; [|auto]. destruct Hxy as [[-> ->]|[-> ->]]; split; auto.
  - apply in_or_app. left. apply in_or_app. right. simpl; auto.
Qed.

Lemma leaves_bind_inv {T A B} (Q : B -> Prop) (m : program T A) (k : A -> program T B) : leaves Q (bind m k) -> leaves (fun a => leaves Q (k a)) m.
Proof. induction m as [a|t u v f IH]; cbn [bind leaves]; [auto|]. intros [H H']. split; apply IH; auto. Qed.

Section Noting.
Context {cv : conventions} {tag : Type}.
Variable test : exact -> arm -> arm -> program tag (option arm).

Lemma noting_obind {A B} (Q : option (B * list (arm * arm)) -> Prop) (m : program asked (option A)) (k : A -> program asked (option B)) : Q None ->
  forall noted, leaves (fun o => match o with None => True | Some (a, noted) => leaves Q (noting test noted (k a)) end) (noting test noted m) ->
  leaves Q (noting test noted (obind m k)).
Proof.
  intro Q0. unfold obind at 1. induction m as [[a|]|[l|b] u v f IH]; intros noted H; cbn [bind noting] in *; auto.
  apply leaves_bind_inv in H. eapply leaves_bind; [exact H|]. intros [x|] Hx; [|exact Q0]. destruct (Nat.eqb x u); apply IH; exact Hx.
Qed.

Variable entrants : list arm.
Hypothesis ND : NoDup entrants.

Lemma noting_round l : forall n X R noted, (length X <= n)%nat -> notes entrants (R ++ X) noted ->
  leaves (fun o => match o with None => True | Some (Z, noted) => notes entrants (R ++ Z) noted end) (noting test noted (round ask l X)).
Proof.
  induction n as [|n IH]; intros X R noted Hn H; destruct X as [|u [|v Y]]; try exact H; [cbn [length] in Hn; lia|].
  cbn [round]. unfold ask, obind at 1. cbn [bind noting].
  assert (forall x y, x = u /\ y = v \/ x = v /\ y = u ->
    leaves (fun o => match o with None => True | Some (Z, noted) => notes entrants (R ++ Z) noted end)
      (noting test ((x, y) :: noted) (obind (round ask l Y) (fun Z => Ret (Some (x :: Z)))))) as K.
  { intros x y Hxy. apply noting_obind; [exact Logic.I|].
    eapply leaves_impl; [apply (IH Y (R ++ [x])); [cbn [length] in Hn; lia|eapply noted_match; eauto]|].
    intros [[Z noted']|]; [|auto]. rewrite <- app_assoc. auto. }
  eapply leaves_bind; [apply leaves_true|]. intros [x|] _; [|exact Logic.I]. destruct (Nat.eqb x u); apply K; auto.
Qed.

Lemma noting_bkt dr : forall f r X noted, notes entrants X noted ->
  leaves (fun o => match o with None => True | Some (c, noted) => notes entrants [c] noted end) (noting test noted (bkt ask entrants f dr r X)).
Proof.
  induction f as [|f IH]; intros r X noted H; destruct X as [|x [|y Y]]; try exact Logic.I; try exact H.
  rewrite bkt_ask_step. cbv zeta. apply noting_obind; [exact Logic.I|].
  eapply leaves_impl; [apply (noting_round _ _ _ [] _ (le_n _)); eapply notes_perm; [apply Permutation_sym, pairing_perm|exact H]|].
  intros [[Z noted']|]; [|auto]. apply IH.
Qed.
End Noting.

Lemma filter_perm {A} (f : A -> bool) l : Permutation (filter f l ++ filter (fun x => negb (f x)) l) l.
Proof.
  induction l as [|x l IH]; cbn [filter app]; [auto|]. destruct (f x); cbn [negb app]; [auto|].
  eapply Permutation_trans; [apply Permutation_sym, Permutation_middle|auto].
Qed.

(** So the matches are as they should be. *)
Lemma noted_designated N c noted : (2 <= N)%nat -> notes (seq 0 N) [c] noted -> designated_matches N (Some (c, suspects c noted)).
Proof.
  intros HN [A B C]. cbn [app] in A. pose proof (Permutation_length A) as HL. cbn [length] in HL. rewrite map_length, seq_length in HL.
  assert (NoDup (c :: map snd noted)) as ND by (eapply Permutation_NoDup; [apply Permutation_sym; exact A|apply seq_NoDup]).
  assert (Permutation (suspects c noted) noted) as F by apply filter_perm.
  assert (forall j, In j (c :: map snd noted) <-> (j < N)%nat) as Range.
  { intro j. split; intro H; [apply (Permutation_in _ A), in_seq in H; lia|]. apply (Permutation_in _ (Permutation_sym A)), in_seq. lia. }
  split; [apply Range; simpl; auto|]. split; [rewrite (Permutation_length F); lia|]. split; [|split].
  - intros u v H. apply (Permutation_in _ F) in H. destruct (B u v H) as [U Ne]. apply in_seq in U.
    assert (In v (map snd noted)) as V by (apply in_map_iff; exists (u, v); auto).
    split; [lia|]. split; [apply Range; simpl; auto|]. split; [exact Ne|]. intros ->. inversion ND; auto.
  - intros j Hj Hjc. apply Range in Hj. destruct Hj as [E|Hj]; [congruence|]. apply in_map_iff in Hj. destruct Hj as ([u v] & E & Hj). cbn in E. subst v.
    exists u. apply (Permutation_in _ (Permutation_sym F)), Hj.
  - intros u v. destruct noted as [|[x y] noted]; [cbn in HL; lia|]. destruct C as [<-|[]]. unfold suspects. cbn [filter fst]. rewrite Nat.eqb_refl.
    cbn [app firstn]. intros [[= <- <-]|[]]. reflexivity.
Qed.

Lemma noted_own N c noted : (2 <= N)%nat -> notes (seq 0 N) [c] noted -> own_matches N (Some (c, its_own c noted)).
Proof.
  intros HN H. destruct (noted_designated N c noted HN H) as (Hc & HL & HP & HA & _). split; [exact Hc|].
  exists (map snd (suspects c noted)). split; [reflexivity|]. split; [now rewrite map_length|]. intro j. split.
  - intro Hj. apply in_map_iff in Hj. destruct Hj as ([u v] & <- & Hj). destruct (HP u v Hj) as (_ & V & _ & Ne). auto.
  - intros [Hj Hjc]. destruct (HA j Hj Hjc) as (u & Hu). apply in_map_iff. exists (u, j). auto.
Qed.

Lemma tournament_matches {cv : conventions} {tag} (test : exact -> arm -> arm -> program tag (option arm)) N : (2 <= N)%nat ->
  leaves (own_matches N) (tournament test its_own N) /\ leaves (designated_matches N) (tournament test suspects N).
Proof.
  intro HN. assert (notes (seq 0 N) (seq 0 N) []) as H by (split; [rewrite app_nil_r; auto|intros ? ? []|exact Logic.I]).
  pose proof (noting_bkt test (seq 0 N) (seq_NoDup N 0) (round_level (level 1 8)) (length (seq 0 N)) 0 (seq 0 N) [] H) as K.
  split; (eapply leaves_bind; [exact K|]); intros [[c noted]|] Hc; try exact Logic.I; cbn [leaves]; [now apply noted_own|now apply noted_designated].
Qed.

(** Otherwise it is the knockout. *)
Lemma E_self_play P n c {A} (m : prog A) f : expect P (self_play n c m) f = expect P m f.
Proof. induction n as [|n IH]; cbn [self_play expect]; [reflexivity|]. rewrite !IH. ring. Qed.
Lemma E_noting P {A} test (m : program asked (option A)) f : forall noted,
  expect P (noting test noted m) (fun o => f (option_map fst o)) = expect P (play test m) f.
Proof.
  induction m as [[a|]|[l|n] u v k IH]; intro noted; cbn [noting play]; [reflexivity|reflexivity| |rewrite E_self_play; apply IH].
  unfold obind. rewrite !E_bind. apply E_ext. intros [x|]; [|reflexivity]. destruct (Nat.eqb x u); apply IH.
Qed.
Lemma maxT_bind_le {T A B C} (m : program T A) (k : A -> program T B) (k' : A -> program T C) :
  (forall a, (maxT (k a) <= maxT (k' a))%nat) -> (maxT (bind m k) <= maxT (bind m k'))%nat.
Proof. intro H. induction m as [a|t u v f IH]; cbn [bind maxT]; [apply H|]. apply le_n_S, Nat.max_le_compat; apply IH. Qed.
Lemma maxT_self_play {A} n c (m : prog A) : (maxT m <= maxT (self_play n c m))%nat.
Proof. induction n as [|n IH]; cbn [self_play maxT]; [apply le_n|]. lia. Qed.
Lemma maxT_noting {A} test (m : program asked (option A)) : forall noted, (maxT (noting test noted m) <= maxT (play test m))%nat.
Proof.
  induction m as [[a|]|[l|n] u v k IH]; intro noted; cbn [noting play]; [apply le_n|apply le_n| |].
  - apply maxT_bind_le. intros [x|]; [|apply le_n]. destruct (Nat.eqb x u); apply IH.
  - eapply Nat.le_trans; [apply IH|apply maxT_self_play].
Qed.

Lemma value_eighth : value (level 1 8) = 1/8.
Proof. unfold value, level, Q2R. cbn. field. Qed.

Section Knockout.
Context {cv : conventions}.
Variables (N s : nat).
Hypothesis HN : (2 <= N)%nat.
Let X : list arm := seq 0 N.
Let t (d : R) := BDT truncated_sprt (gap s) d.

Lemma knockout_plays : play (fun l => t (value l)) (BKT ask X (level 1 8)) = BKT t X (1/8).
Proof. rewrite <- (play_BKT cv t X (level 1 8)), value_eighth; [reflexivity|intros; apply BDT_leaves|apply seq_NoDup]. Qed.

Lemma knockout_starts matches : starts (knockout matches N s).
Proof.
  pose proof (gap_range s) as Hg. unfold knockout, tournament. set (test := fun l => _).
  assert (starts (noting test [] (BKT ask X (level 1 8)))) as S.
  { assert (length X = N) as L by apply seq_length. destruct X as [|x [|y Y]]; cbn [length] in L; try lia. unfold BKT. cbn [length]. rewrite bkt_ask_step.
    cbv zeta. set (Z := x :: y :: Y).
    assert (2 <= length (pairing Z 0 Z))%nat as PL by (rewrite (Permutation_length (pairing_perm Z 0 Z)); unfold Z; cbn [length]; lia).
    destruct (pairing Z 0 Z) as [|u [|v V]]; cbn [length] in PL; try lia. cbn [round]. unfold ask at 1, obind. cbn [bind noting].
    apply starts_obind. unfold test, BDT. rewrite value_round, value_eighth.
    pose proof (truncated_starts (gap s) (round_level (1/8) 0) Hg (round_level_range (1/8) 0 ltac:(lra))) as B.
    set (n := bbudget _ _ _) in *. clearbody n. destruct n; [lia|exact Logic.I]. }
  destruct (noting _ _ _); [destruct S|exact Logic.I].
Qed.

Lemma knockout_cost P matches : (forall u v, 0 <= P u v <= 1) -> ET P (knockout matches N s) <= C_find * INR (N - 1) / (gap s * gap s).
Proof.
  intro P01. pose proof (gap_range s) as Hg. unfold knockout, tournament. rewrite ET_bind. cbn [ET]. rewrite E_const, Rplus_0_r.
  eapply Rle_trans; [apply ET_le_max; auto|]. eapply Rle_trans; [apply le_INR, maxT_noting|]. fold X. change (fun l => BDT truncated_sprt (gap s) (value l)) with (fun l => t (value l)).
  rewrite knockout_plays. assert (length X = N) as L by apply seq_length.
  assert (0 < / (gap s * gap s)) as I by (apply Rinv_0_lt_compat; nra).
  eapply Rle_trans; [apply (BKT_cost (fun A m => INR (maxT m))) with (ok := fun _ => True) (base := ts_base (gap s)) (slope := ts_slope (gap s)); auto; try lra|].
  - intros; eapply maxT_obind; eauto.
  - apply BDT_leaves.
  - unfold ts_base, Rdiv. lra.
  - unfold ts_slope, Rdiv. lra.
  - intros d u v Hd _ _ _. eapply Rle_trans; [apply le_INR, seqtest_maxT|]. now apply truncated_budget.
  - apply seq_NoDup.
  - rewrite L. lia.
  - rewrite L. pose proof ln2_le. replace (/ (1 / 8)) with (2 ^ 3) by field. rewrite ln_pow by lra. simpl (INR 3).
    unfold ts_base, ts_slope, bkt_extra, C_find. pose proof (pos_INR (N - 1)).
    apply Rle_trans with (INR (N - 1) * (241/100 * / (gap s * gap s))); [|right; unfold Rdiv; ring].
    apply Rmult_le_compat_l; [lra|]. unfold Rdiv. nra.
Qed.

Lemma knockout_right P w Delta matches : condorcet P N w Delta -> gap s <= Delta -> 7/8 <= Pr P (knockout matches N s) (found w).
Proof.
  intros HC Hs. pose proof HC as [P01 PA Hw Win]. pose proof (gap_range s) as Hg. assert (length X = N) as L by apply seq_length.
  assert (Pr P (BKT t X (1/8)) (wrong w) <= 1 * (1/8)) as Wrong.
  { pose proof (truncated_sprt_is_pairwise_test P N w (gap s) (condorcet_weaken P N w Delta (gap s) Hs HC) Hg) as T.
    apply BKT_correct; auto; try lra.
    - apply BDT_leaves.
    - apply seq_NoDup.
    - apply in_seq. lia.
    - intros d j Hd Hj Hjw. apply (pt_correct _ _ _ _ _ _ _ T 0%nat d j Hd); [apply in_seq in Hj; lia|exact Hjw]. }
  assert (Pr P (BKT t X (1/8)) ran_out = 0) as Ans by (apply BKT_answers; auto; [lra|apply seq_NoDup|rewrite L; lia]).
  apply Rle_trans with (Pr P (BKT t X (1/8)) (is_arm w)); [rewrite Pr_total, Ans; lra|].
  right. rewrite <- knockout_plays. unfold Pr at 1. rewrite <- (E_noting P _ _ _ []). unfold Pr, knockout, tournament. rewrite E_bind.
  apply E_ext. intros [[c noted]|]; reflexivity.
Qed.
End Knockout.

Theorem knockout_finds : knockout_finds_statement.
Proof.
  intros cv P N w Delta HC HN. pose proof (c_01 _ _ _ _ HC) as P01.
  split; (split; [intro s; apply tournament_matches; exact HN|]); (split; [intro s; now apply knockout_starts|]);
    (split; [intro s; now apply knockout_cost|]); intros s Hs; now apply (knockout_right N s HN P w Delta).
Qed.

Theorem find_then_certify_knockout : find_then_certify_knockout_statement.
Proof.
  intros cv P N delta HP HN Hd run. split.
  - intro n. apply find_then_certify_error; auto. intro s. now apply tournament_matches.
  - intros w Delta HC HD. apply find_then_certify_identifies; auto. now apply knockout_finds.
Qed.

Theorem find_then_certify_winner_knockout : find_then_certify_winner_knockout_statement.
Proof.
  intros cv P N w delta HP HN Hd Hw Win run. split.
  - intro n. apply find_then_certify_winner_error; auto. intro s. now apply tournament_matches.
  - intros Delta HC HD. apply find_then_certify_winner_identifies; auto. now apply knockout_finds.
Qed.

(** ** A budget *)

Lemma within_spent P (P01 : forall u v, 0 <= P u v <= 1) {A} (m : prog (option A)) : forall B, uncut B m = true ->
  INR B * Pr P (within B m) ran_out <= ET P m.
Proof.
  induction m as [o|t u v k IH]; intros B U.
  - destruct B as [|B]; [simpl; lra|]. unfold Pr. cbn [within expect ET]. destruct o; [cbn [ran_out]; lra|discriminate].
  - destruct B as [|B]; [simpl (INR 0); rewrite Rmult_0_l; now apply ET_nonneg|].
    cbn [uncut] in U. apply andb_prop in U. destruct U as [U1 U0].
    pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (IH true B U1) (IH false B U0)) as M.
    pose proof (Pr_le1 P P01 (within (S B) (Ask t u v k)) ran_out) as One. unfold Pr in *. cbn [within expect ET] in *. rewrite S_INR. lra.
Qed.

Lemma stages_uncut find certificate T : (forall s, starts (find s)) -> forall n s k, (T <= n)%nat -> uncut T (stages find screen certificate n s k) = true.
Proof.
  intro Starts. induction T as [|T IH]; intros n s k Hn; [destruct (stages find screen certificate n s k); reflexivity|].
  destruct n as [|n]; [lia|]. cbn [stages]. unfold attempt. specialize (Starts s). destruct (find s) as [|t u v f]; [destruct Starts|]. cbn [bind uncut].
  assert (forall r : bool * option arm, uncut T (match r return prog (option arm) with (_, Some c) => Ret (Some c)
            | (begun, None) => stages find screen certificate n (S s) (if begun then S k else k) end) = true) as K.
  { intros [begun [c|]]; [destruct begun, T; reflexivity|]. destruct begun; apply IH; lia. }
  now rewrite !(uncut_bind T) by apply K.
Qed.

Theorem find_then_certify_budget : find_then_certify_budget_statement.
Proof.
  intros cv P N delta n B HP HN Hd run run'. pose proof (valid_01 P HP) as P01.
  split; [apply within_budget|]. split; [apply within_budget|]. split; [|split].
  - eapply Rle_trans; [apply within_Pr; auto|]. now apply find_then_certify_knockout.
  - intros w Hw Win. eapply Rle_trans; [apply within_Pr; auto|]. now apply find_then_certify_winner_knockout.
  - intros w Delta HC HD Hn. destruct (find_then_certify_knockout cv P N delta HP HN Hd) as [_ K].
    destruct (K w Delta HC HD) as (_ & [Cost _] & _). destruct (find_then_certify_winner_knockout cv P N w delta HP HN Hd (c_in _ _ _ _ HC)) as [_ K'].
    { intros j Hj Hjw. pose proof (c_win _ _ _ _ HC j Hj Hjw). lra. }
    destruct (K' Delta HC HD) as (_ & [Cost' _] & _).
    split; (eapply Rle_trans; [apply within_spent; [exact P01|]|eauto]);
      (apply stages_uncut; [intro; now apply knockout_starts|exact Hn]).
Qed.
