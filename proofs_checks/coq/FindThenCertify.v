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
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate.
Open Scope R_scope.

(** ** The algorithm *)

Definition gap (s : nat) : R := 3 / 2 ^ (s + 3).

(** The screen: the likelihood ratio alone, within 4^(s+4) = 36/g_s^2 duels. *)
Definition screen_rule (g : R) (n s : nat) : option bool :=
  if reaches (likelihood g) (/ 256) n s then Some true
  else if sinks (likelihood g) (/ 32) n s then Some false else None.
Definition screen_budget (s : nat) : nat := 4 ^ (s + 4).

(** The certificate that is begun after [k] others: the levels add up to [delta]. *)
Definition certificate_level (delta : R) (k : nat) : R := 2 * delta / ((2 * INR k + 1) * (2 * INR k + 3)).
Definition certificate_loss (N : nat) : R := / INR ((2 * N) ^ 6).
Definition certificate_budget (N s : nat) (a : R) : nat :=
  4 * (N - 1) * bbudget truncated_sprt (gap s) (a / 2) + 4 ^ (s + 3).

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

Definition find_then_certify find (N : nat) (delta : R) (n : nat) : prog (option arm) :=
  stages find screen (certificate N delta) n 0 0.

(** ** Where a winner is known to exist

    Every arm [v] may lose instead to the arm [u] that threw it out of the knockout, on the gap of the stage before,
    or else to the champion [c], at half of the level each. *)
Definition bold_rule (s : nat) (a : R) (n x : nat) : option bool :=
  if reaches (likelihood (gap (pred s))) a n x then Some true
  else if sinks (likelihood (gap (pred s))) (/ 8) n x then Some false else None.
Definition bold_budget (s : nat) (a : R) : nat := bbudget truncated_sprt (gap s) a.
Definition either (N s : nat) (a : R) (horizon : nat) (c u v : arm) : prog (option arm) :=
  let own := one_sided (gap s) a (certificate_loss N) horizon c v in
  if Nat.eqb u c then own
  else bind (seqtest (bold_rule s a) never (bold_budget s a) 0 0 u v) (fun o =>
         if is_arm u o then Ret (Some u) else obind own (fun x => Ret (Some (if Nat.eqb x c then u else v)))).
Definition certificate_of_winner (N : nat) (delta : R) (s k : nat) (c : arm) (pairs : list (arm * arm))
    : prog (option bool) :=
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
     | Some (c, pairs) => bad c = true -> forall k,
         Pr P (certificate s k c pairs) certified <= certificate_level delta k
     end) (find s)) ->
  Pr P (stages find screen certificate n 0 0) (fun o => match o with Some c => bad c | None => false end) <= delta.

(** An arm that does not beat every other one is returned with probability at most [delta]: whatever the
    preferences (ties, cycles, no winner), the finder, and the number of stages. *)
Definition find_then_certify_error_statement : Prop := forall P N find delta n,
  valid P -> 0 < delta < 1 -> (forall s, leaves (own_matches N) (find s)) ->
  Pr P (find_then_certify find N delta n) (wrongly_returned P N) <= delta.

(** Where there is a winner, [find_then_certify_winner] returns an arm that is not it with probability at most
    [delta]. *)
Definition find_then_certify_winner_error_statement : Prop := forall P N w find delta n,
  valid P -> 0 < delta < 1 -> (w < N)%nat -> (forall j, (j < N)%nat -> j <> w -> 1/2 < P w j) ->
  (forall s, leaves (designated_matches N) (find s)) ->
  Pr P (find_then_certify_winner find N delta n) (wrong w) <= delta.

(** ** Where there is a winner *)

Definition found (w : arm) (o : option (arm * list (arm * arm))) : bool :=
  match o with Some (c, _) => Nat.eqb c w | None => false end.

(** What is asked of a finder: in every stage a champion with its matches, for few duels; and the winner, with
    probability at least 7/8, once the gap that is tried is not above [Delta]. *)
Definition C_find : R := 241/100.
Definition finds (matches : option (arm * list (arm * arm)) -> Prop) (P : arm -> arm -> R) (N : nat) (w : arm)
    (Delta : R) (find : nat -> prog (option (arm * list (arm * arm)))) : Prop :=
  (forall s, leaves matches (find s)) /\
  (forall s, starts (find s)) /\
  (forall s, ET P (find s) <= C_find * INR (N - 1) / (gap s * gap s)) /\
  (forall s, gap s <= Delta -> 7/8 <= Pr P (find s) (found w)).

(** A knockout whose matches are the truncated test's, told the gap that is tried, at level 1/8. It notes who
    threw whom out, the latest first. Of that come the matches of the certificate: first the champion's own
    victims, the latest first, then all others, who was out last before the others. *)
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
  finds (own_matches N) P N w Delta (knockout its_own N) /\
  finds (designated_matches N) P N w Delta (knockout suspects N).

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
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> 0 < delta < 1 ->
    finds (own_matches N) P N w Delta find ->
  identifies P w (find_then_certify find N delta) delta (duels_at_most C_level C_arm N Delta delta).
Definition find_then_certify_winner_identifies_statement : Prop := forall P N w Delta find delta,
  condorcet P N w Delta -> 0 < Delta <= 1/2 -> (2 <= N)%nat -> 0 < delta < 1 ->
    finds (designated_matches N) P N w Delta find ->
  identifies P w (find_then_certify_winner find N delta) delta
    (duels_at_most C_winner_level C_winner_arm N Delta delta).

(** The whole, with the knockout: right under no assumption, and under one it ends. *)
Definition find_then_certify_knockout_statement : Prop := forall (cv : conventions) P N delta,
  valid P -> (2 <= N)%nat -> 0 < delta < 1 -> let run := find_then_certify (knockout its_own N) N delta in
  (forall n, Pr P (run n) (wrongly_returned P N) <= delta) /\
  (forall w Delta, condorcet P N w Delta -> 0 < Delta <= 1/2 ->
    identifies P w run delta (duels_at_most C_level C_arm N Delta delta)).
(** And where a winner is known to exist, every arm losing to whom it lost in the knockout, or to the champion. *)
Definition find_then_certify_winner_knockout_statement : Prop := forall (cv : conventions) P N w delta,
  valid P -> (2 <= N)%nat -> 0 < delta < 1 -> (w < N)%nat -> (forall j, (j < N)%nat -> j <> w -> 1/2 < P w j) ->
  let run := find_then_certify_winner (knockout suspects N) N delta in
  (forall n, Pr P (run n) (wrong w) <= delta) /\
  (forall Delta, condorcet P N w Delta -> 0 < Delta <= 1/2 ->
     identifies P w run delta (duels_at_most C_winner_level C_winner_arm N Delta delta)).

(** With a budget for all duels together, they may be cut anywhere: what is then returned is wrong with
    probability at most [delta] all the same. Where there is a winner, the budget suffices but for a probability
    of the expected number of duels over it (a stage takes a duel at least, so that there are stages enough). *)
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
  unfold gap. rewrite pow_add. pose proof (pow_R1_Rle 2 s ltac:(lra)) as H.
  split; [positive|]. apply Rlt_div_l; lra.
Qed.

Lemma level_range delta k : 0 < delta < 1 -> 0 < certificate_level delta k <= 2 / 3 * delta.
Proof.
  intro Hd. unfold certificate_level. pose proof (pos_INR k). split; [positive|]. apply Rle_div_l; nra.
Qed.

(** What the certificates from the [k]th on may still spend. *)
Definition left_over (delta : R) (k : nat) : R := delta / (2 * INR k + 1).
Lemma left_over_step delta k : certificate_level delta k + left_over delta (S k) = left_over delta k.
Proof. unfold certificate_level, left_over. rewrite S_INR. pose proof (pos_INR k). field. lra. Qed.
Lemma left_over_nonneg delta k : 0 < delta < 1 -> 0 <= left_over delta k.
Proof. intro H. unfold left_over. pose proof (pos_INR k). positive. Qed.

Theorem stages_error : stages_error_statement.
Proof.
  intros P find cert bad delta n P01 Hd Hf. set (says_bad := fun o => match o with Some c => bad c | None => false end).
  enough (K : forall n s k, Pr P (stages find screen cert n s k) says_bad <= left_over delta k).
  { eapply Rle_trans; [apply K|]. unfold left_over. cbn. right. field. }
  clear n. induction n as [|n IH]; intros s k; [now apply left_over_nonneg|]. pose proof (level_range delta k Hd).
  pose proof (left_over_nonneg delta (S k) Hd) as L1. cbn [stages]. rewrite Pr_bind. unfold attempt. rewrite E_bind.
  eapply (E_le_leaves P P01); [apply Hf|]. intros [[c pairs]|] Hbad; [|apply IH]. cbn [judge]. rewrite E_bind.
  apply E_le; [exact P01|]. intro x. destruct (certified x); [|apply IH]. rewrite E_bind, <- (left_over_step delta k).
  cbn [expect]. destruct (bad c) eqn:B.
  - rewrite <- (Pr_bind P (cert s k c pairs)). apply (Pr_bind_le P P01 _ _ certified); [exact L1|now apply Hbad|].
    intros y ->. apply IH.
  - apply Rle_trans with (left_over delta (S k)); [|lra]. apply E_le; [exact P01|]. intro y.
    destruct (certified y); [unfold Pr; cbn; rewrite B; exact L1|apply IH].
Qed.

Lemma one_sided_wrong P g a e F u v : valid P -> 0 < g < 1/2 -> 0 < a -> u <> v -> P u v <= 1/2 ->
  Pr P (one_sided g a e F u v) (is_arm u) <= a.
Proof. intros HP Hg Ha Huv Hp. destruct (match_rule_admissible g a e Hg) as (_ & EV & Rule).
eapply one_sided_error; eauto. Qed.

Lemma certificate_wrong P N delta s k c u v pairs :
  valid P -> 0 < delta < 1 -> u <> v -> P u v <= 1/2 -> In (u, v) pairs ->
  Pr P (certificate N delta s k c pairs) certified <= certificate_level delta k.
Proof.
  intros HP Hd Huv Hp Hin. destruct (level_range delta k Hd) as [A0 A1].
  apply certify_error with (u := u) (v := v); [now apply valid_01|lra|exact Hin|].
  apply one_sided_wrong; auto using gap_range.
Qed.

Theorem find_then_certify_error : find_then_certify_error_statement.
Proof.
  intros P N find delta n HP Hd Hf.
  apply (stages_error P find _ (fun c => negb (beats_all P N c)) delta n (valid_01 P HP) Hd).
  intro s. eapply leaves_impl; [apply Hf|]. intros [[c pairs]|]; [|auto]. intros (Hc & order & -> & _ & Hin) Hb k.
  apply negb_true_iff in Hb. unfold beats_all in Hb.
  assert (exists j, In j (seq 0 N) /\ (Nat.eqb j c || if Rlt_dec (1/2) (P c j) then true else false) = false)
    as (j & Hj & Hbj).
  { clear - Hb. induction (seq 0 N) as [|x l IH]; cbn in Hb; [discriminate|].
    destruct (Nat.eqb x c || _) eqn:C; [|exists x; cbn; auto]. destruct (IH Hb) as (j & A & B). exists j. cbn. auto. }
  apply in_seq in Hj. destruct (Nat.eqb_spec j c), (Rlt_dec (1/2) (P c j)); try discriminate.
  apply (certificate_wrong P N delta s k c c j); auto; [lra|]. apply in_map, Hin. split; [lia|assumption].
Qed.

(** The winner loses to neither, at half of the level each. *)
Lemma either_wrong P N s a F c u w : valid P -> 0 < a -> P c w <= 1/2 -> c <> w -> u <> w -> P u w <= 1/2 ->
  Pr P (either N s a F c u w) (is_arm u) <= a + a.
Proof.
  intros HP Ha Hc Hcw Huw Hp. pose proof (valid_01 P HP) as P01.
  pose proof (one_sided_wrong P (gap s) a (certificate_loss N) F c w HP (gap_range s) Ha Hcw Hc) as Own.
  unfold either. destruct (Nat.eqb_spec u c) as [->|Huc]; [lra|]. apply (Pr_bind_le P P01 _ _ (is_arm u)); [lra| |].
  - apply (one_sided_error (likelihood (gap (pred s)))); auto.
    + apply likelihood_is_evidence. pose proof (gap_range (pred s)). lra.
    + intros n x _. unfold bold_rule. destruct (reaches _ _ _ _); [reflexivity|].
      destruct (sinks _ _ _ _); discriminate.
  - intros o ->. apply Rle_trans with (a + 0); [|lra]. apply (Pr_bind_le P P01 _ _ (is_arm c)); [lra|exact Own|].
    intros [x|] Hx; unfold Pr; cbn in *; [rewrite Hx; cbn; destruct (Nat.eqb_spec w u); [congruence|]|]; lra.
Qed.

Theorem find_then_certify_winner_error : find_then_certify_winner_error_statement.
Proof.
  intros P N w find delta n HP Hd Hw Win Hf. pose proof (valid_01 P HP) as P01.
  assert (Loses : forall u, (u < N)%nat -> u <> w -> P u w <= 1/2).
  { intros u Hu Huw. specialize (Win u Hu Huw). rewrite (proj2 HP). lra. }
  apply (stages_error P find (certificate_of_winner N delta) (fun c => negb (Nat.eqb c w)) delta n P01 Hd).
  intro s. eapply leaves_impl; [apply Hf|]. intros [[c pairs]|]; [|auto]. intros (Hc & _ & Hpairs & H & _) Hb k.
  apply negb_true_iff, Nat.eqb_neq in Hb. destruct (H w Hw ltac:(congruence)) as (u & Hin).
  destruct (Hpairs u w Hin) as (Hu & _ & Huw & _), (level_range delta k Hd) as [A0 A1].
  apply certify_error with (u := u) (v := w); [exact P01|lra|exact Hin|].
  eapply Rle_trans; [apply either_wrong; auto; lra|lra].
Qed.
