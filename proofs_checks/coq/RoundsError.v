(** * Certificates in rounds are seldom wrong (not in the paper)

    Nothing assumed, an arm that does not beat every other one is returned with probability at most delta, whatever
    the preferences (ties, cycles, no winner), the finder, the number of stages and of rounds, and however often the
    champion plays itself.  Where there is a winner, an arm that is not it is returned with probability at most delta
    when this is assumed.

    What is known against an arm of a cell at level a is worth 1 once the arm is gone, before that a times all of its
    evidence, each with its weight, and the weights of the stages to come.  That does not grow in expectation as long as
    the arm is not the worse one in any duel.  *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith ZArith List.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits ScreenAndReplace Trees MixtureTest LowerBound SprtTest Likelihood Certificate Rounds.
From TGITE Require Import RoundsRun Knockout.
Open Scope R_scope.

Definition search_error_statement : Prop := forall P N find delta pause F n,
  valid P -> 0 <= delta -> (forall s, leaves (own_matches N) (find s)) ->
  Pr P (search find N delta pause F n) (wrongly_returned P N) <= delta.
Definition find_then_certify_error_statement : Prop := forall P N find delta n,
  valid P -> 0 < delta < 1 -> (forall s, leaves (own_matches N) (find s)) ->
  Pr P (find_then_certify find N delta n) (wrongly_returned P N) <= delta.

(** Where there is a winner [w], and this is assumed. *)
Definition find_then_certify_winner_error_statement : Prop := forall P N w find delta n,
  valid P -> 0 < delta < 1 -> (w < N)%nat -> (forall j, (j < N)%nat -> j <> w -> 1/2 < P w j) ->
  (forall s, leaves (designated_matches N) (find s)) ->
  Pr P (find_then_certify_winner find N delta n) (wrong w) <= delta.

(** With the knockout, also cut off after any number of duels. *)
Definition find_then_certify_knockout_error_statement : Prop := forall (cv : conventions) P N delta n budget,
  valid P -> (2 <= N)%nat -> 0 < delta < 1 ->
  let run := find_then_certify (knockout its_own N) N delta n in
  let run' := find_then_certify_winner (knockout suspects N) N delta n in
  Pr P run (wrongly_returned P N) <= delta /\ Pr P (within budget run) (wrongly_returned P N) <= delta /\
  forall w, (w < N)%nat -> (forall j, (j < N)%nat -> j <> w -> 1/2 < P w j) ->
    Pr P run' (wrong w) <= delta /\ Pr P (within budget run') (wrong w) <= delta.

(** * Proofs *)

Lemma part_telescopes k : part k = / (4 * INR k + 1) - / (4 * INR (S k) + 1).
Proof. unfold part. rewrite S_INR. pose proof (pos_INR k). field. lra. Qed.
Lemma part_pos k : 0 < part k.
Proof. unfold part. pose proof (pos_INR k). positive. Qed.

(** ** A cell *)

Definition known (omega : R) (x : counts) : R := omega * mixture (fst x) (snd x).
Definition worth (omega a : R) (j : arm) (x : cell) : R :=
  if gone x j then 1 else a * (known omega (life x j) + (1 - omega) * / (4 * INR (visits x) + 1)).
Definition worth_now (s m : nat) (omega a : R) (j : arm) (x : state) : R :=
  if out x j then 1 else
  a * (known omega (all x j) + share omega m * likelihood (gap s) (fst (now x j)) (snd (now x j)) +
       (1 - omega) * / (4 * INR (S m) + 1)).

Lemma worth_empty omega a j : 0 <= omega <= 1 -> 0 <= a -> worth omega a j empty <= a.
Proof.
  intros Ho Ha. unfold worth. cbn [empty gone life visits INR]. unfold known, nothing. cbn [fst snd].
  rewrite Rmult_0_r, Rplus_0_l, Rinv_1. pose proof (ev_starts _ W_is_evidence) as M.
  apply (Rmult_le_compat_l omega) in M; [|lra]. rewrite <- (Rmult_1_r a) at 2. apply Rmult_le_compat_l; [exact Ha|lra].
Qed.

Section Cell.
Variables (P : arm -> arm -> R) (N s m : nat) (omega a : R) (pause : nat -> nat) (c : arm) (j : arm).
Variable pairs : list (arm * arm).
Hypothesis HP : valid P.
Hypothesis Homega : 0 <= omega <= 1.
Hypothesis Ha : 0 <= a.
Hypothesis Loses : forall u, u = c \/ In (u, j) pairs -> P u j <= 1/2.

Let P01 := valid_01 P HP.
Let Lg : evidence (likelihood (gap s)).
Proof. apply likelihood_is_evidence. pose proof (gap_range s). lra. Qed.

Lemma share_nonneg : 0 <= share omega m.
Proof. unfold share. pose proof (part_pos m). apply Rmult_le_pos; lra. Qed.

Lemma worth_opened x : m = visits x -> worth_now s m omega a j (opened x) = worth omega a j x.
Proof.
  intro E. unfold worth_now, worth, share. cbn [opened all now out]. unfold nothing. cbn [fst snd].
  rewrite L_start, E, part_telescopes. destruct (gone x j); [reflexivity|ring].
Qed.

Lemma rest_nonneg k : 0 <= (1 - omega) * / (4 * INR k + 1).
Proof. pose proof (pos_INR k). apply Rmult_le_pos; [lra|positive]. Qed.
Lemma known_nonneg x : (snd x <= fst x)%nat -> 0 <= known omega x.
Proof. intro H. apply Rmult_le_pos; [lra|]. now apply (ev_nonneg _ W_is_evidence). Qed.
Lemma likely_nonneg x : (snd x <= fst x)%nat -> 0 <= share omega m * likelihood (gap s) (fst x) (snd x).
Proof. intro H. apply Rmult_le_pos; [apply share_nonneg|]. now apply (ev_nonneg _ Lg). Qed.

Lemma worth_nonneg x : sound_cell x -> 0 <= worth omega a j x.
Proof.
  intro H. unfold worth. destruct (gone x j); [lra|]. pose proof (rest_nonneg (visits x)).
  pose proof (known_nonneg (life x j) (H j)). apply Rmult_le_pos; lra.
Qed.

Lemma worth_closed x : sound x -> worth omega a j (closed (S m) x) <= worth_now s m omega a j x.
Proof.
  intro H. unfold worth_now, worth. cbn [closed gone life visits]. destruct (out x j); [lra|].
  apply Rmult_le_compat_l; [exact Ha|]. pose proof (likely_nonneg (now x j) ltac:(specialize (H j); lia)). lra.
Qed.

Lemma worth_thrown x y : thrown s m omega a pairs x y -> worth_now s m omega a j y <= worth_now s m omega a j x.
Proof.
  intros [u i _ Hx Oi E]. unfold worth_now. cbn [throw_out all now out]. unfold change.
  destruct (Nat.eqb_spec j i) as [<-|]; [|apply Rle_refl]. rewrite Oi. specialize (Hx j).
  pose proof (likely_nonneg (now x j) ltac:(lia)). pose proof (known_nonneg (all x j) ltac:(lia)).
  pose proof (rest_nonneg (S m)). unfold enough, reaches, known in *.
  destruct (Rle_dec 1 (omega * a * mixture _ _)); [nra|]. destruct (Rle_dec 1 _); [nra|discriminate].
Qed.

Lemma worth_fair u x y : sound x -> u = c \/ In (u, j) pairs ->
  (forall b, all (y b) j = one_more b (all x j) /\ now (y b) j = one_more b (now x j) /\ out (y b) j = out x j) ->
  P u j * worth_now s m omega a j (y true) + (1 - P u j) * worth_now s m omega a j (y false)
    <= worth_now s m omega a j x.
Proof.
  intros Hx Hu H. destruct (H true) as (A1 & A2 & A3), (H false) as (B1 & B2 & B3). unfold worth_now, known.
  rewrite A1, A2, A3, B1, B2, B3. destruct (out x j); [right; ring|]. cbn [one_more fst snd b2n Nat.add].
  assert (0 <= P u j <= 1/2) as Hp by (split; [apply P01|apply Loses, Hu]). specialize (Hx j).
  pose proof (ev_unfair _ W_is_evidence _ (fst (all x j)) (snd (all x j)) Hp ltac:(lia)) as E1.
  pose proof (ev_unfair _ Lg _ (fst (now x j)) (snd (now x j)) Hp ltac:(lia)) as E2.
  apply (Rmult_le_compat_l omega) in E1; [|lra]. apply (Rmult_le_compat_l _ _ _ share_nonneg) in E2.
  pose proof (Rmult_le_compat_l a _ _ Ha (Rplus_le_compat _ _ _ _ E1 E2)). lra.
Qed.

Lemma worth_move x u v add : move N s m omega a pause c (fun _ => True) pairs x u v add ->
  P u v * worth_now s m omega a j (add true x) + (1 - P u v) * worth_now s m omega a j (add false x)
    <= worth_now s m omega a j x.
Proof.
  assert (Elsewhere : forall p (y : bool -> state),
    (forall b, all (y b) j = all x j /\ now (y b) j = now x j /\ out (y b) j = out x j) ->
    p * worth_now s m omega a j (y true) + (1 - p) * worth_now s m omega a j (y false) <= worth_now s m omega a j x).
  { intros p y H. unfold worth_now. destruct (H true) as (-> & -> & ->), (H false) as (-> & -> & ->). right. ring. }
  intros [r w i _ I Hx _ _ _ _|r w i _ I Hx _ _ _ _ _|]; [| |right; ring];
    (destruct (Nat.eq_dec i j) as [->|Hi%not_eq_sym];
    [|refine (Elsewhere _ (fun b => _ b x) _); intro b; cbn; unfold change; now rewrite (proj2 (Nat.eqb_neq j i) Hi)]).
  - apply (worth_fair c x (fun b => dueled j b x)); auto. intro b. cbn. unfold change. now rewrite Nat.eqb_refl.
  - apply (worth_fair w x (fun b => exposed j b x)); auto. intro b. cbn. unfold change. now rewrite Nat.eqb_refl.
Qed.

(** A stage does not add to it. *)
Lemma visit_worth F x : sound_cell x -> m = visits x ->
  expect P (visit N omega a pause F s c pairs x) (fun o => match o with Some y => worth omega a j y | None => 0 end)
    <= worth omega a j x.
Proof.
  intros Hx Hm. rewrite <- worth_opened by exact Hm.
  eapply steps_expect; [exact P01|exact worth_move|exact worth_thrown| |now apply (visit_steps N s m)].
  intros y [z|] (Hy & K); [destruct K as [-> _]; rewrite <- Hm; now apply worth_closed|].
  unfold worth_now. destruct (out y j); [lra|]. specialize (Hy j).
  pose proof (likely_nonneg (now y j) ltac:(lia)). pose proof (known_nonneg (all y j) ltac:(lia)).
  pose proof (rest_nonneg (S m)). apply Rmult_le_pos; lra.
Qed.
End Cell.

Lemma visit_leaves N omega a pause F s c pairs x : sound_cell x -> gone x c = false ->
  (forall u, ~ In (u, c) pairs) ->
  leaves (fun o => match o with None => True | Some y => sound_cell y /\ gone y c = false end)
    (visit N omega a pause F s c pairs x).
Proof.
  intros Hx G Hc. pose proof (visit_steps N s (visits x) omega a pause c pairs F x Hx eq_refl) as H.
  eapply steps_keep with (I := fun x => out x c = false) in H; [| | |exact G].
  - eapply leaves_impl; [apply (steps_leaves _ _ _ _ _ H)|]. intros [z|] (y & O & Hy & K); [|exact Logic.I].
    destruct K as [-> _]. split; [now apply sound_closed|exact O].
  - intros y u v add b O []; exact O.
  - intros y z O T. destruct (thrown_elsewhere _ _ _ _ _ _ _ c T) as (_ & _ & _ & _ & _ & E). now rewrite (E Hc).
Qed.

(** ** Stages *)

Lemma stages_error {M} (P : arm -> arm -> R) find
    (stage : nat -> M -> arm -> list (arm * arm) -> prog (option (M * option arm)))
    (matches : option (arm * list (arm * arm)) -> Prop) (bad : option arm -> bool) (risk : M -> R) (I : M -> Prop) n :
  (forall u v, 0 <= P u v <= 1) -> bad None = false -> (forall mem, I mem -> 0 <= risk mem) ->
  (forall s, leaves matches (find s)) ->
  (forall s mem c pairs, I mem -> matches (Some (c, pairs)) ->
    leaves (fun o => match o with Some (mem', _) => I mem' | None => True end) (stage s mem c pairs) /\
    expect P (stage s mem c pairs) (fun o => match o with
      | None => 0
      | Some (mem', None) => risk mem'
      | Some (mem', Some i) => ind (bad (Some i))
      end) <= risk mem) ->
  forall s mem, I mem -> Pr P (stages find stage n s mem) bad <= risk mem.
Proof.
  intros P01 B Pos Hf Hs. induction n as [|n IH]; intros s mem Hm; cbn [stages].
  - unfold Pr. cbn. rewrite B. auto.
  - unfold obind at 1. rewrite Pr_bind. eapply (E_le_leaves P P01); [apply Hf|]. intros [[c pairs]|] Hp; cbn [fst snd].
    + destruct (Hs s mem c pairs Hm Hp) as [L E]. eapply Rle_trans; [|exact E]. unfold obind. rewrite Pr_bind.
      eapply (E_mono_leaves P P01); [exact L|]. intros [[mem' [i|]]|] Hm'.
      * apply Rle_refl.
      * now apply IH.
      * unfold Pr. cbn. rewrite B. lra.
    + unfold Pr. cbn. rewrite B. auto.
Qed.

(** ** Nothing assumed *)

(** An arm that [c] does not beat. *)
Definition rival (P : arm -> arm -> R) (N : nat) (c : arm) : option arm :=
  List.find (fun j => negb (Nat.eqb j c || if Rlt_dec (1/2) (P c j) then true else false)) (seq 0 N).

Lemma rival_spec P N c : match rival P N c with
  | Some j => (j < N)%nat /\ j <> c /\ P c j <= 1/2
  | None => beats_all P N c = true
  end.
Proof.
  unfold rival, beats_all. destruct (List.find _ _) as [j|] eqn:E.
  - apply find_some in E. destruct E as [I E]. apply in_seq in I. apply negb_true_iff, orb_false_iff in E.
    destruct E as [E1 E2]. apply Nat.eqb_neq in E1. destruct (Rlt_dec _ _) as [|H]; [discriminate|].
    split; [lia|]. split; [exact E1|]. lra.
  - apply forallb_forall. intros j Hj. pose proof (find_none _ _ E j Hj) as H. now apply negb_false_iff in H.
Qed.

Lemma answer_in N c x i : answer N c x = Some i -> (c < N)%nat -> gone x c = false ->
  i = c /\ forall j, (j < N)%nat -> j <> c -> gone x j = true.
Proof.
  intros A Hc G. unfold answer in A. assert (forall j, In j (filter (fun j => negb (gone x j)) (seq 0 N)) <->
    (j < N)%nat /\ gone x j = false) as K.
  { intro j. rewrite filter_In, in_seq, negb_true_iff. assert (0 <= j < 0 + N <-> j < N)%nat by lia. tauto. }
  destruct (filter _ _) as [|k [|? ?]]; [destruct (proj2 (K c)); auto| |discriminate]. injection A as ->.
  destruct (proj2 (K c) (conj Hc G)) as [->|[]]. split; [reflexivity|]. intros j Hj Hjc.
  destruct (gone x j) eqn:E; [reflexivity|]. destruct (proj2 (K j) (conj Hj E)) as [->|[]]. congruence.
Qed.

Section Nothing.
Variables (P : arm -> arm -> R) (N : nat) (delta : R).
Hypothesis HP : valid P.
Hypothesis Hdelta : 0 <= delta.
Let P01 := valid_01 P HP.

Definition cell_worth (k : nat) (c : arm) (x : cell) : R :=
  match rival P N c with Some j => worth omega_own (champion_level delta k) j x | None => 0 end.
Fixpoint risk (k : nat) (l : cells) : R :=
  match l with
  | [] => delta * / (4 * INR k + 1)
  | (c, x) :: l' => cell_worth k c x + risk (S k) l'
  end.
Definition sound_cells (l : cells) : Prop := Forall (fun y => sound_cell (snd y) /\ gone (snd y) (fst y) = false) l.

Lemma level_nonneg k : 0 <= champion_level delta k.
Proof. unfold champion_level. pose proof (part_pos k). apply Rmult_le_pos; lra. Qed.

Lemma cell_worth_nonneg k c x : sound_cell x -> 0 <= cell_worth k c x.
Proof.
  intro H. unfold cell_worth. destruct (rival P N c); [|lra]. apply worth_nonneg; auto using level_nonneg.
  unfold omega_own. lra.
Qed.

Lemma risk_nonneg l : sound_cells l -> forall k, 0 <= risk k l.
Proof.
  intro H. induction H as [|[c x] l [Hx _] _ IH]; intro k; cbn [risk].
  - pose proof (pos_INR k). apply Rmult_le_pos; [lra|positive].
  - specialize (IH (S k)). pose proof (cell_worth_nonneg k c x Hx). lra.
Qed.

Lemma risk_new c l : forall k, risk k (l ++ [(c, empty)]) <= risk k l.
Proof.
  induction l as [|[i x] l IH]; intro k; cbn [risk app]; [|specialize (IH (S k)); lra].
  assert (cell_worth k c empty <= champion_level delta k) as W.
  { pose proof (level_nonneg k) as L. unfold cell_worth. destruct (rival P N c); [|exact L].
    apply worth_empty; [unfold omega_own; lra|exact L]. }
  unfold champion_level in W. rewrite part_telescopes in W. lra.
Qed.

Lemma position_put c l : sound_cells l -> forall k h, position c l = Some k -> let x := cell_at k l in
  (sound_cell x /\ gone x c = false) /\ cell_worth (h + k) c x <= risk h l /\ forall y,
  (sound_cell y -> gone y c = false -> sound_cells (put k y l)) /\
  risk h (put k y l) = risk h l - cell_worth (h + k) c x + cell_worth (h + k) c y.
Proof.
  intro H. induction H as [|[i z] l [Hz Gz] H IH]; intros k h E; [discriminate|]. cbn [position fst snd] in *.
  destruct (Nat.eqb_spec i c) as [->|_].
  - injection E as <-. cbn. rewrite Nat.add_0_r. pose proof (risk_nonneg l H (S h)). split; [auto|]. split; [lra|].
    intro y. split; [intros Hy Gy; constructor; auto|ring].
  - destruct (position c l) as [k'|]; [|discriminate]. injection E as <-. destruct (IH k' (S h) eq_refl) as (A & B & C).
    change (cell_at (S k') ((i, z) :: l)) with (cell_at k' l). rewrite Nat.add_succ_r.
    cbn [put risk Nat.add] in *. pose proof (cell_worth_nonneg h i z Hz). split; [exact A|]. split; [lra|].
    intro y. destruct (C y) as [C1 C2]. split; [|rewrite C2; ring]. intros Hy Gy. constructor; [auto|].
    now apply C1.
Qed.

Lemma position_new c l : position c l = None -> position c (l ++ [(c, empty)]) = Some (length l).
Proof.
  induction l as [|[i x] l IH]; cbn [position app length]; [now rewrite Nat.eqb_refl|].
  destruct (Nat.eqb i c); [discriminate|]. destruct (position c l); [discriminate|]. intros _. now rewrite IH.
Qed.

Definition result_risk (o : option (cells * option arm)) : R :=
  match o with
  | None => 0
  | Some (l', None) => risk 0 l'
  | Some (_, Some i) => ind (wrongly_returned P N (Some i))
  end.
Definition result_sound (o : option (cells * option arm)) : Prop :=
  match o with Some (l', _) => sound_cells l' | None => True end.

Lemma visit_own_risk pause F s l k c pairs :
  sound_cells l -> position c l = Some k -> own_matches N (Some (c, pairs)) ->
  leaves result_sound (visit_own N delta pause F s l k c pairs) /\
  expect P (visit_own N delta pause F s l k c pairs) result_risk <= risk 0 l.
Proof.
  intros Hl Hk (Hc & order & -> & _ & Ord). destruct (position_put c l Hl k 0 Hk) as ((Hx & Gx) & Wx & Put).
  cbn [Nat.add] in *. unfold visit_own. set (a := champion_level delta k). set (x := cell_at k l) in *.
  assert (forall u v, In (u, v) (against c order) -> u = c /\ v <> c) as Pairs.
  { intros u v I. apply in_map_iff in I. destruct I as (j & [= <- <-] & I). split; [reflexivity|]. now apply Ord. }
  assert (forall u, ~ In (u, c) (against c order)) as NoC by (intros u I; now destruct (Pairs u c I)).
  pose proof (visit_leaves N omega_own a pause (F a) s c (against c order) x Hx Gx NoC) as L.
  pose proof (level_nonneg k) as La. pose proof (rival_spec P N c) as Rival. split.
  - eapply leaves_bind; [exact L|]. intros [y|] Hy; [|exact Logic.I]. apply (Put y); apply Hy.
  - unfold obind. rewrite E_bind.
    apply Rle_trans with (expect P (visit N omega_own a pause (F a) s c (against c order) x)
      (fun o => (risk 0 l - cell_worth k c x) + match o with Some y => cell_worth k c y | None => 0 end)).
    + eapply (E_mono_leaves P P01); [exact L|]. intros [y|] Hy; cbn [expect result_risk]; [|lra].
      destruct Hy as [Hy Gy]. destruct (Put y) as [_ <-]. destruct (answer N c y) as [i|] eqn:A; [|apply Rle_refl].
      destruct (answer_in N c y i A Hc Gy) as [-> Gone]. pose proof (risk_nonneg (put k y l) ltac:(now apply Put) 0).
      cbn [wrongly_returned]. destruct (rival P N c) as [j|] eqn:E; [|rewrite Rival; exact H].
      destruct (Put y) as [_ ->]. unfold cell_worth at 2. rewrite E. unfold worth. rewrite Gone by apply Rival.
      destruct (negb _); cbn [ind]; lra.
    + rewrite E_plus, E_const. enough (expect P (visit N omega_own a pause (F a) s c (against c order) x)
        (fun o => match o with Some y => cell_worth k c y | None => 0 end) <= cell_worth k c x) by lra.
      unfold cell_worth. destruct (rival P N c) as [j|].
      * apply visit_worth with (m := visits x); auto; [unfold omega_own; lra|].
        intros u [->|I]; [|destruct (Pairs u j I) as [-> _]]; apply Rival.
      * eapply Rle_trans; [apply (E_le P P01) with (c := 0)|lra]. intros [y|]; lra.
Qed.

Lemma own_stage_risk pause F s l c pairs : sound_cells l -> own_matches N (Some (c, pairs)) ->
  leaves result_sound (own_stage N delta pause F s l c pairs) /\
  expect P (own_stage N delta pause F s l c pairs) result_risk <= risk 0 l.
Proof.
  intros Hl Hp. unfold own_stage. destruct (position c l) as [k|] eqn:E; [now apply visit_own_risk|].
  assert (sound_cells (l ++ [(c, empty)])) as Hl'.
  { apply Forall_app. split; [exact Hl|]. repeat constructor. }
  destruct (visit_own_risk pause F s _ _ c pairs Hl' (position_new c l E) Hp) as [L K]. pose proof (risk_new c l 0).
  split.
  - eapply leaves_bind; [apply leaves_true|]. intros o _. destruct (certified o); [exact L|exact Hl].
  - rewrite E_bind. apply (E_le P P01). intro o. destruct (certified o); [lra|apply Rle_refl].
Qed.
End Nothing.

Theorem search_error : search_error_statement.
Proof.
  intros P N find delta pause F n HP Hd Hf. eapply Rle_trans.
  - apply (stages_error P find _ (own_matches N) (wrongly_returned P N) (risk P N delta 0) sound_cells); auto;
      [now apply valid_01|intros l Hl; now apply risk_nonneg| |constructor].
    intros s l c pairs Hl Hp. destruct (own_stage_risk P N delta HP Hd pause F s l c pairs Hl Hp) as [A B].
    split; [exact A|exact B].
  - cbn. lra.
Qed.
Theorem find_then_certify_error : find_then_certify_error_statement.
Proof. intros P N find delta n HP Hd Hf. apply search_error; auto; lra. Qed.

(** ** A winner assumed *)

Theorem find_then_certify_winner_error : find_then_certify_winner_error_statement.
Proof.
  intros P N w find delta n HP Hd Hw Win Hf. pose proof (valid_01 P HP) as P01.
  assert (Loses : forall u, (u < N)%nat -> P u w <= 1/2).
  { intros u Hu. destruct (Nat.eq_dec u w) as [->|H]; [pose proof (proj2 HP w w); lra|]. specialize (Win u Hu H).
    rewrite (proj2 HP). lra. }
  assert (0 <= omega_life <= 1) as Ho by (unfold omega_life; lra).
  eapply Rle_trans.
  - apply (stages_error P find _ (designated_matches N) (wrong w) (worth omega_life delta w) sound_cell); auto;
      [intros x Hx; apply worth_nonneg; auto; lra| |exact sound_empty].
    intros s x c pairs Hx (Hc & _ & Pairs & _). unfold life_stage. set (run := visit _ _ _ _ _ _ _ _ _).
    assert (leaves (fun o => match o with None => True | Some y => sound_cell y end) run) as L.
    { eapply leaves_impl; [eapply steps_leaves, visit_steps; auto|]. intros [z|] (y & Hy & K); [|exact Logic.I].
      destruct K as [-> _]. now apply sound_closed. }
    split; [eapply leaves_bind; [exact L|]; intros [y|]; auto|]. unfold obind. rewrite E_bind.
    eapply Rle_trans; [|apply (visit_worth P N s (visits x) omega_life delta (fun _ => 0%nat) c w pairs HP Ho
      ltac:(lra)) with (F := enough_rounds delta); auto].
    + eapply (E_mono_leaves P P01); [exact L|]. intros [y|] Hy; cbn [expect]; [|lra].
      assert (0 <= worth omega_life delta w y) as W by (apply worth_nonneg; auto; lra).
      destruct (answer N c y) as [i|] eqn:A; [|apply Rle_refl]. cbn [wrong].
      destruct (Nat.eqb_spec i w) as [->|Hi]; [exact W|]. cbn [negb ind]. unfold worth in *.
      destruct (gone y w) eqn:G; [lra|exfalso]. unfold answer in A.
      assert (In w (filter (fun j => negb (gone y j)) (seq 0 N))) as K
        by (rewrite filter_In, in_seq, G; split; [lia|auto]).
      destruct (filter _ _) as [|k [|? ?]]; [destruct K| |discriminate].
      destruct K as [->|[]]. injection A as ->. congruence.
    + intros u [->|I]; [now apply Loses|]. apply Loses, (Pairs u w I).
  - apply worth_empty; auto. lra.
Qed.

Theorem find_then_certify_knockout_error : find_then_certify_knockout_error_statement.
Proof.
  intros cv P N delta n budget HP HN Hd run run'. pose proof (valid_01 P HP) as P01.
  assert (Pr P run (wrongly_returned P N) <= delta) as E.
  { apply find_then_certify_error; auto. intro s. now apply tournament_matches. }
  split; [exact E|]. split; [eapply Rle_trans; [now apply within_Pr|exact E]|]. intros w Hw Win.
  assert (Pr P run' (wrong w) <= delta) as E'.
  { apply find_then_certify_winner_error; auto. intro s. now apply tournament_matches. }
  split; [exact E'|]. eapply Rle_trans; [now apply within_Pr|exact E'].
Qed.
