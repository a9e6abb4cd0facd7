(** * Runs of a certificate, step by step

    Every certificate of Rounds walks through states: it duels and notes the outcome, throws an arm out, or
    ends.  [steps] says which steps are taken and what is known before each of them, once for all that is summed
    up along a run ([tally]): expectations and numbers of duels. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith ZArith List.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate Rounds.
Open Scope R_scope.

(** ** What is summed up along a run: a price for every duel, times [rate] for every duel before, and [f] of the
    answer *)
Fixpoint tally {A} (P : arm -> arm -> R) (price : arm -> arm -> R) (rate : R) (m : prog A) (f : A -> R) : R :=
  match m with
  | Ret a => f a
  | Ask _ u v k =>
      price u v + rate * (P u v * tally P price rate (k true) f + (1 - P u v) * tally P price rate (k false) f)
  end.

Lemma tally_expect {A} P (m : prog A) f : tally P (fun _ _ => 0) 1 m f = expect P m f.
Proof. induction m as [a|t u v k IH]; cbn [tally expect]; [reflexivity|]. rewrite !IH. ring. Qed.
Lemma tally_ET {A} P (m : prog A) f : tally P (fun _ _ => 1) 1 m f = ET P m + expect P m f.
Proof. induction m as [a|t u v k IH]; cbn [tally expect ET]; [ring|]. rewrite !IH. ring. Qed.

(** ** Steps *)

Section Steps.
Context {X : Type}.

(** Before a duel of [u] and [v] in a state [x] that becomes [add b x], [may x u v add]; other changes of the state
    are [silent].  [Q] is what holds of the last state and the answer. *)
Inductive steps {A} (may : X -> arm -> arm -> (bool -> X -> X) -> Prop) (silent : X -> X -> Prop) (Q : X -> A -> Prop)
    : X -> prog A -> Prop :=
| steps_done x a : Q x a -> steps may silent Q x (Ret a)
| steps_duel x u v add k : may x u v add -> (forall b, steps may silent Q (add b x) (k b)) ->
    steps may silent Q x (Duel u v k)
| steps_silent x y m : silent x y -> steps may silent Q y m -> steps may silent Q x m.

Variables (may may' : X -> arm -> arm -> (bool -> X -> X) -> Prop) (silent silent' : X -> X -> Prop).

Lemma steps_bind {A B} (Q : X -> A -> Prop) (Q' : X -> B -> Prop) x m k :
  steps may silent Q x m -> (forall y a, Q y a -> steps may silent Q' y (k a)) -> steps may silent Q' x (bind m k).
Proof.
  intros H K. induction H as [x a H|x u v add f M _ IH|x y m S _ IH]; cbn [bind]; [auto| |].
  - eapply steps_duel; [exact M|exact IH].
  - eapply steps_silent; eauto.
Qed.

Lemma steps_impl {A} (Q Q' : X -> A -> Prop) x m : steps may silent Q x m ->
  (forall x u v add, may x u v add -> may' x u v add) -> (forall x y, silent x y -> silent' x y) ->
  (forall y a, Q y a -> Q' y a) -> steps may' silent' Q' x m.
Proof.
  intros H M S K. induction H; [apply steps_done|eapply steps_duel|eapply steps_silent]; eauto.
Qed.
Lemma steps_weaken {A} (Q Q' : X -> A -> Prop) x m :
  steps may silent Q x m -> (forall y a, Q y a -> Q' y a) -> steps may silent Q' x m.
Proof. intros H K. induction H; [apply steps_done|eapply steps_duel|eapply steps_silent]; eauto. Qed.

(** What every step keeps holds before every duel and at the end. *)
Lemma steps_keep {A} (I : X -> Prop) (Q : X -> A -> Prop) x m :
  (forall x u v add b, I x -> may x u v add -> I (add b x)) -> (forall x y, I x -> silent x y -> I y) ->
  I x -> steps may silent Q x m ->
  steps (fun x u v add => I x /\ may x u v add) (fun x y => I x /\ silent x y) (fun y a => I y /\ Q y a) x m.
Proof.
  intros M S H0 H. induction H as [x a H|x u v add f Hm _ IH|x y m Hs _ IH].
  - now apply steps_done.
  - eapply steps_duel; [split; eassumption|]. intro b. apply IH. eapply M; eauto.
  - eapply steps_silent; [split; eassumption|]. apply IH. eapply S; eauto.
Qed.

Lemma steps_leaves {A} (Q : X -> A -> Prop) x m : steps may silent Q x m -> leaves (fun a => exists y, Q y a) m.
Proof. intro H. induction H; cbn [leaves]; eauto. Qed.

(** A potential that does not grow in expectation bounds what is summed up. *)
Lemma steps_tally {A} P (P01 : forall u v, 0 <= P u v <= 1) price rate psi (Q : X -> A -> Prop) f x m : 0 <= rate ->
  (forall x u v add, may x u v add ->
    price u v + rate * (P u v * psi (add true x) + (1 - P u v) * psi (add false x)) <= psi x) ->
  (forall x y, silent x y -> psi y <= psi x) -> (forall y a, Q y a -> f a <= psi y) ->
  steps may silent Q x m -> tally P price rate m f <= psi x.
Proof.
  intros R0 M S K H. induction H as [x a H|x u v add k Hm _ IH|x y m Hs _ IH]; cbn [tally]; [auto| |].
  - eapply Rle_trans; [|apply M, Hm]. apply Rplus_le_compat_l, Rmult_le_compat_l; [exact R0|].
    apply conv_mono; [apply P01|apply (IH true)|apply (IH false)].
  - eapply Rle_trans; [exact IH|auto].
Qed.

Lemma steps_expect {A} P (P01 : forall u v, 0 <= P u v <= 1) psi (Q : X -> A -> Prop) f x m :
  (forall x u v add, may x u v add -> P u v * psi (add true x) + (1 - P u v) * psi (add false x) <= psi x) ->
  (forall x y, silent x y -> psi y <= psi x) -> (forall y a, Q y a -> f a <= psi y) ->
  steps may silent Q x m -> expect P m f <= psi x.
Proof.
  intros M S K H. rewrite <- tally_expect. apply (steps_tally P P01 _ _ psi Q); auto; [lra|].
  intros y u v add Hm. specialize (M y u v add Hm). lra.
Qed.

(** A match of at most [B - count x] duels. *)
Lemma steps_go_on (I : X -> Prop) count B enough lost add u v :
  (forall x, I x -> enough x = false -> lost x = false -> (count x < B)%nat -> may x u v add) ->
  (forall b x, I x -> I (add b x) /\ count (add b x) = S (count x)) ->
  forall x, I x -> steps may silent (fun y o => I y /\ snd o = y /\ match fst o with
    | Some true => enough y = true
    | Some false => enough y = false /\ lost y = true
    | None => enough y = false /\ (B <= count y)%nat
    end) x (go_on enough lost add u v (B - count x) x).
Proof.
  intros M S x. remember (B - count x)%nat as most eqn:E. revert x E. induction most as [|most IH]; intros x E Hx;
    cbn [go_on]; (destruct (enough x) eqn:En; [now apply steps_done|]);
    (destruct (lost x) eqn:L; [now apply steps_done|]).
  - apply steps_done. repeat split; auto. lia.
  - apply steps_duel with add; [apply M; auto; lia|]. intro b. destruct (S b x Hx). apply IH; [lia|assumption].
Qed.

Lemma steps_self_play {A} (Q : X -> A -> Prop) n c x m : ((0 < n)%nat -> may x c c (fun _ y => y)) ->
  steps may silent Q x m -> steps may silent Q x (self_play n c m).
Proof.
  intros M H. induction n as [|n IH]; cbn [self_play]; [exact H|].
  apply steps_duel with (fun _ y => y); [apply M; lia|]. intros b. apply IH. intros _. apply M. lia.
Qed.
End Steps.

(** ** The steps of a certificate *)

(** Losses are among the duels; those of the stage among all, those with the champion among those of the stage. *)
Definition sound (x : state) : Prop := forall j,
  (snd (own x j) <= fst (own x j) /\ snd (own x j) <= snd (now x j) /\
   snd (now x j) + fst (own x j) <= fst (now x j) + snd (own x j) /\
   snd (now x j) <= snd (all x j) /\ snd (all x j) + fst (now x j) <= fst (all x j) + snd (now x j))%nat.
Definition sound_cell (x : cell) : Prop := forall j, (snd (life x j) <= fst (life x j))%nat.

Lemma sound_opened x : sound_cell x -> sound (opened x).
Proof. intros H j. specialize (H j). cbn. lia. Qed.
Lemma sound_closed m x : sound x -> sound_cell (closed m x).
Proof. intros H j. specialize (H j). cbn. lia. Qed.
Lemma sound_empty : sound_cell empty.
Proof. intro j. cbn. lia. Qed.
Lemma sound_dueled j b x : sound x -> sound (dueled j b x).
Proof.
  intros H i. pose proof (H i) as Hi. pose proof (H j) as Hj. cbn [dueled all now own]. unfold change.
  destruct (Nat.eqb i j); [|exact Hi]. destruct b; cbn; lia.
Qed.
Lemma sound_exposed j b x : sound x -> sound (exposed j b x).
Proof.
  intros H i. pose proof (H i) as Hi. cbn [exposed all now own]. unfold change.
  destruct (Nat.eqb_spec i j) as [->|]; [|exact Hi]. destruct b; cbn; lia.
Qed.
Lemma others_exposed j b x : sound x -> fst (others j (exposed j b x)) = S (fst (others j x)).
Proof.
  intro H. specialize (H j). unfold others. cbn [exposed now own fst]. unfold change. rewrite Nat.eqb_refl.
  cbn [one_more fst]. lia.
Qed.
Lemma level_in_last_round a r : is_last a r = true -> level_in_round a r = a.
Proof. unfold is_last, level_in_round. destruct (Rle_dec _ _); [|discriminate]. intros _. now apply Rmax_left. Qed.

Section Certificate.
Variables (N s m : nat) (omega a : R) (pause : nat -> nat) (c : arm).

(** In a round [r] out of [in_rounds], of a list of pairs, before a duel; and when an arm is thrown out. *)
Inductive move (in_rounds : nat -> Prop) (pairs : list (arm * arm)) (x : state)
    : arm -> arm -> (bool -> state -> state) -> Prop :=
| own_move r u j : in_rounds r -> In (u, j) pairs -> sound x -> out x j = false ->
    enough s m omega (level_in_round a r) j x = false -> beaten N s j x = false ->
    (spent x < stage_budget N s (share omega m * level_in_round a r))%nat -> move in_rounds pairs x c j (dueled j)
| bold_move r u j : in_rounds r -> In (u, j) pairs -> sound x -> out x j = false -> u <> c ->
    enough s m omega (level_in_round a r) j x = false -> hopeless s j x = false ->
    (fst (others j x) < bold_budget s (level_in_round a r))%nat -> move in_rounds pairs x u j (exposed j)
| pause_move r : in_rounds r -> is_last a r = false -> (0 < pause r)%nat -> move in_rounds pairs x c c (fun _ y => y).
Inductive thrown (pairs : list (arm * arm)) (x : state) : state -> Prop :=
| thrown_out u j : In (u, j) pairs -> sound x -> out x j = false -> enough s m omega a j x = true ->
    thrown pairs x (throw_out j x).

(** Against [j] there is enough in round [r]; or not, and the match is lost or out of its budget. *)
Definition won (r : nat) (j : arm) (x : state) : Prop :=
  out x j = true \/ is_last a r = false /\ enough s m omega (level_in_round a r) j x = true.
Definition failed (r : nat) (j : arm) (x : state) : Prop :=
  out x j = false /\ enough s m omega (level_in_round a r) j x = false /\
  (beaten N s j x = true \/ (stage_budget N s (share omega m * level_in_round a r) <= spent x)%nat).

Section Round.
Variables (in_rounds : nat -> Prop) (pairs : list (arm * arm)) (r : nat).
Hypothesis Hr : in_rounds r.
Let d := level_in_round a r.
Let run {A} := @steps state A (move in_rounds pairs) (thrown pairs).

Lemma own_steps u j x : In (u, j) pairs -> sound x -> out x j = false ->
  run (fun y o => sound y /\ out y j = false /\ snd o = y /\ match fst o with
    | Some true => enough s m omega d j y = true
    | _ => failed r j y
    end) x (own_match N s m omega c d j x).
Proof.
  intros Hin Hx Ho. eapply steps_weaken; [apply steps_go_on with (I := fun x => sound x /\ out x j = false); auto|].
  - intros y [Hy Oy] E L B. apply own_move with r u; auto.
  - intros b y [Hy Oy]. split; [split; [now apply sound_dueled|exact Oy]|reflexivity].
  - intros y [[[|]|] z] ([Hy Oy] & E & K); cbn in *; unfold failed; tauto.
Qed.

Lemma bold_steps u j x : In (u, j) pairs -> sound x -> out x j = false -> u <> c ->
  run (fun y o => sound y /\ out y j = false /\ snd o = y /\ match fst o with
    | Some true => enough s m omega d j y = true
    | Some false => hopeless s j y = true
    | None => (bold_budget s d <= fst (others j y))%nat
    end) x (bold_match s m omega d u j x).
Proof.
  intros Hin Hx Ho Hu. eapply steps_weaken;
    [apply steps_go_on with (I := fun x => sound x /\ out x j = false) (count := fun x => fst (others j x)); auto|].
  - intros y [Hy Oy] E L B. apply bold_move with r; auto.
  - intros b y [Hy Oy]. split; [split; [now apply sound_exposed|exact Oy]|now apply others_exposed].
  - intros y [[[|]|] z] ([Hy Oy] & E & K); cbn [fst snd] in *; tauto.
Qed.

Lemma arm_steps u j x : In (u, j) pairs -> sound x ->
  run (fun y o => sound y /\ snd o = y /\ match fst o with Some true => won r j y | _ => failed r j y end)
    x (one_arm N s m omega a c r u j x).
Proof.
  intros Hin Hx. unfold one_arm. destruct (out x j) eqn:O; [apply steps_done; cbn; unfold won; auto|].
  eapply steps_bind with (Q := fun y o => sound y /\ out y j = false /\ snd o = y /\ match fst o with
    | Some true => enough s m omega d j y = true
    | _ => failed r j y
    end).
  - eapply steps_bind with (Q := fun y o => sound y /\ out y j = false /\ snd o = y /\ match fst o with
      | Some true => enough s m omega d j y = true
      | _ => True
      end).
    + destruct (Nat.eqb_spec u c) as [->|Hu]; [now apply steps_done|].
      eapply steps_weaken; [apply bold_steps; auto|]. intros y [[[|]|] z]; cbn; tauto.
    + intros y [[[|]|] z] (Hy & Oy & E & K); cbn in E; subst z; [apply steps_done; auto| |]; now apply own_steps with u.
  - intros y [[[|]|] z] (Hy & Oy & E & K); cbn in E, K; subst z; try (apply steps_done; cbn; tauto).
    destruct (is_last a r) eqn:L; [|apply steps_done; cbn; unfold won; auto].
    apply steps_silent with (throw_out j y).
    + apply thrown_out with u; auto. unfold d in K. now rewrite (level_in_last_round a r L) in K.
    + apply steps_done. split; [exact Hy|]. split; [reflexivity|]. left. cbn. unfold change. now rewrite Nat.eqb_refl.
Qed.
End Round.

(** A round is won, or some match of it has failed; in the last round, who is exposed is out. *)
Definition out_of (pairs : list (arm * arm)) (x : state) : Prop := forall u j, In (u, j) pairs -> out x j = true.
Definition failure (in_rounds : nat -> Prop) (pairs : list (arm * arm)) (x : state) : Prop :=
  exists r u j, in_rounds r /\ In (u, j) pairs /\ failed r j x.

(** Who is won against stays so for the round. *)
Lemma won_stays pairs r j x {A} (Q : state -> A -> Prop) p : won r j x ->
  steps (move (eq r) pairs) (thrown pairs) Q x p ->
  steps (move (eq r) pairs) (thrown pairs) (fun y o => won r j y /\ Q y o) x p.
Proof.
  intros H K. eapply steps_impl; [apply steps_keep with (I := won r j); [| |exact H|exact K]| | |]; cbn; try tauto.
  - intros y u v add b Hy [r' u' i <- _ _ O E _ _|r' u' i <- _ _ O _ E _ _|]; [| |exact Hy];
      unfold won, enough in *; cbn [dueled exposed all now out]; unfold change;
      (destruct (Nat.eqb_spec j i) as [->|]; [|exact Hy]); destruct Hy as [Hy|[_ Hy]]; congruence.
  - intros y z Hy []. destruct Hy as [Hy|Hy]; [left|right; exact Hy]. cbn. unfold change. now destruct (Nat.eqb j j0).
Qed.

Lemma round_steps pairs r some x : incl some pairs -> sound x ->
  steps (move (eq r) pairs) (thrown pairs) (fun y (o : bool * state) => sound y /\ snd o = y /\
    if fst o then forall u j, In (u, j) some -> won r j y else failure (eq r) pairs y)
    x (one_round N s m omega a c r some x).
Proof.
  revert x. induction some as [|[u j] some IH]; intros x Hin Hx; cbn [one_round];
    [apply steps_done; cbn; split; [exact Hx|]; split; [reflexivity|intros u j []]|].
  assert (In (u, j) pairs) as H by (apply Hin; simpl; auto).
  eapply steps_bind; [now apply (arm_steps (eq r) pairs r eq_refl u j x)|].
  intros y [[[|]|] z] (Hy & E & K); cbn [fst snd] in E, K; subst z;
    try (apply steps_done; cbn [fst snd]; split; [exact Hy|]; split; [reflexivity|]; now exists r, u, j).
  eapply steps_weaken; [apply (won_stays pairs r j y), IH; [exact K| |exact Hy]; intros p Hp; apply Hin; simpl; auto|].
  intros z [[|] z'] (W & Hz & E & L); cbn [fst snd] in *; do 2 (split; [assumption|]); [|exact L].
  intros u' j' [[= <- <-]|Hj]; [exact W|exact (L u' j' Hj)].
Qed.
Lemma last_won pairs r y : is_last a r = true -> (forall u j, In (u, j) pairs -> won r j y) -> out_of pairs y.
Proof. intros La W u j I. destruct (W u j I) as [O|[E _]]; [exact O|congruence]. Qed.

Lemma move_mono (R R' : nat -> Prop) pairs x u v add : (forall r, R r -> R' r) ->
  move R pairs x u v add -> move R' pairs x u v add.
Proof. intros H [r w j|r w j|r]; [apply own_move with r w|apply bold_move with r|apply pause_move with r]; auto. Qed.

(** All rounds from [r] on. *)
Lemma rounds_steps pairs F : forall r x, sound x ->
  steps (move (le r) pairs) (thrown pairs) (fun y o => sound y /\ match o with
    | None => True
    | Some z => z = y /\ (out_of pairs y \/ failure (le r) pairs y)
    end) x (rounds N s m omega a pause c F r pairs x).
Proof.
  induction F as [|F IH]; intros r x Hx; cbn [rounds]; [now apply steps_done|].
  eapply steps_bind.
  { eapply steps_impl; [apply (round_steps pairs r pairs x (incl_refl _) Hx)| |auto|intros y o K; exact K].
    intros w u v add. apply move_mono. lia. }
  intros y [[|] z] (Hy & E & K); cbn [fst snd] in E, K; subst z.
  - destruct (is_last a r) eqn:L; [apply steps_done; eauto using last_won|].
    apply steps_self_play; [now apply (pause_move (le r) pairs y r)|]. eapply steps_impl; [apply IH, Hy| |auto|].
    + intros w u v add. apply move_mono. lia.
    + intros w [w'|]; [|auto]. intros (Hw & E & O). split; [exact Hw|]. split; [exact E|].
      destruct O as [O|(r' & u & j & R & I & Fl)]; [auto|]. right. exists r', u, j. split; [lia|auto].
  - apply steps_done. split; [exact Hy|]. split; [reflexivity|]. right. destruct K as (r' & u & j & <- & I & Fl).
    exists r, u, j. auto.
Qed.

(** A whole stage of a cell [x]. *)
Lemma visit_steps pairs F x : sound_cell x -> m = visits x ->
  steps (move (fun _ => True) pairs) (thrown pairs) (fun y o => sound y /\ match o with
    | None => True
    | Some z => z = closed (S (visits x)) y /\ (out_of pairs y \/ failure (fun _ => True) pairs y)
    end) (opened x) (visit N omega a pause F s c pairs x).
Proof.
  intros Hx Hm. unfold visit, obind. rewrite <- Hm.
  eapply steps_bind;
    [eapply steps_impl; [apply (rounds_steps pairs F 0), sound_opened, Hx| |auto|intros y o K; exact K]|].
  - intros w u v add. now apply move_mono.
  - intros y [z|] (Hy & K); [destruct K as [-> K]|]; apply steps_done; (split; [exact Hy|]); auto.
    split; [reflexivity|]. destruct K as [O|(r & u & j & _ & I & Fl)]; [auto|]. right. now exists r, u, j.
Qed.
End Certificate.
