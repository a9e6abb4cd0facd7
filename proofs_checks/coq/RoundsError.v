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
  pose proof (ev_starts _ W_is_evidence) as M. apply (Rmult_le_compat_l omega) in M; [|lra].
  rewrite <- (Rmult_1_r a) at 2. apply Rmult_le_compat_l; [exact Ha|lra].
Qed.

Section Cell.
Variables (P : arm -> arm -> R) (N s m : nat) (omega a : R) (pause : nat -> nat) (c : arm) (j : arm).
Variable pairs : list (arm * arm).
(** The champion is not exposed. *)
Hypothesis NotC : forall u, ~ In (u, c) pairs.
Let keeps (x y : cell) : Prop := sound_cell y /\ (gone x c = false -> gone y c = false).

Lemma visit_kept F x : sound_cell x -> m = visits x ->
  steps (move N s m omega a pause c (fun _ => True) pairs) (thrown s m omega a pairs)
    (fun z o => sound z /\ match o with Some y => y = closed (S m) z /\ keeps x y | None => True end)
    (opened x) (visit N omega a pause F s c pairs x).
Proof.
  intros Hx Hm. eapply steps_impl; [apply steps_keep with (I := fun z => gone x c = false -> out z c = false);
    [| |auto|now apply (visit_steps N s m)]| | |]; cbn; try tauto.
  - intros y u v add b H []; exact H.
  - intros y z H [u i I _ _ _] G. cbn. unfold change. destruct (Nat.eqb_spec c i) as [->|]; [|auto].
    now destruct (NotC u).
  - intros z [y|] (O & Hz & K); [|auto]. destruct K as [-> _]. rewrite <- Hm. unfold keeps. auto using sound_closed.
Qed.

Lemma visit_leaves F x : sound_cell x -> m = visits x ->
  leaves (fun o => match o with Some y => keeps x y | None => True end) (visit N omega a pause F s c pairs x).
Proof.
  intros Hx Hm. eapply leaves_impl; [apply (steps_leaves _ _ _ _ _ (visit_kept F x Hx Hm))|].
  intros [y|] (z & K); tauto.
Qed.

Hypothesis HP : valid P.
Hypothesis Homega : 0 <= omega <= 1.
Hypothesis Ha : 0 <= a.
Hypothesis Loses : forall u, u = c \/ In (u, j) pairs -> P u j <= 1/2.

Let P01 := valid_01 P HP.
Let Lg : evidence (likelihood (gap s)).
Proof. apply likelihood_is_evidence. pose proof (gap_range s). lra. Qed.

Lemma share_nonneg : 0 <= share omega m.
Proof. pose proof (part_pos m). apply Rmult_le_pos; lra. Qed.
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

Lemma worth_opened x : m = visits x -> worth_now s m omega a j (opened x) = worth omega a j x.
Proof.
  intro E. unfold worth_now, worth, share. cbn [opened all now out]. rewrite L_start, E, part_telescopes.
  destruct (gone x j); [reflexivity|ring].
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

Lemma worth_fair i u x y : sound x -> (i = j -> u = c \/ In (u, j) pairs) ->
  (forall b, all (y b) = change i (one_more b (all x i)) (all x) /\
    now (y b) = change i (one_more b (now x i)) (now x) /\ out (y b) = out x) ->
  P u i * worth_now s m omega a j (y true) + (1 - P u i) * worth_now s m omega a j (y false)
    <= worth_now s m omega a j x.
Proof.
  intros Hx Hu H. destruct (H true) as (A1 & A2 & A3), (H false) as (B1 & B2 & B3). unfold worth_now, known.
  rewrite A1, A2, A3, B1, B2, B3. unfold change. destruct (out x j); [right; ring|].
  destruct (Nat.eqb_spec j i) as [<-|]; [|right; ring]. cbn [one_more fst snd b2n Nat.add].
  assert (0 <= P u j <= 1/2) as Hp by (split; [apply P01|now apply Loses, Hu]). specialize (Hx j).
  pose proof (ev_unfair _ W_is_evidence _ (fst (all x j)) (snd (all x j)) Hp ltac:(lia)) as E1.
  pose proof (ev_unfair _ Lg _ (fst (now x j)) (snd (now x j)) Hp ltac:(lia)) as E2.
  apply (Rmult_le_compat_l omega) in E1; [|lra]. apply (Rmult_le_compat_l _ _ _ share_nonneg) in E2.
  pose proof (Rmult_le_compat_l a _ _ Ha (Rplus_le_compat _ _ _ _ E1 E2)). lra.
Qed.

Lemma worth_move x u v add : move N s m omega a pause c (fun _ => True) pairs x u v add ->
  P u v * worth_now s m omega a j (add true x) + (1 - P u v) * worth_now s m omega a j (add false x)
    <= worth_now s m omega a j x.
Proof.
  intros [r w i _ I Hx _ _ _ _|r w i _ I Hx _ _ _ _ _|]; [| |right; ring].
  - apply (worth_fair i c x (fun b => dueled i b x)); auto.
  - apply (worth_fair i w x (fun b => exposed i b x)); auto. intros ->. auto.
Qed.

(** A stage does not add to it. *)
Lemma visit_worth F x base f : sound_cell x -> m = visits x -> 0 <= base -> f None <= 0 ->
  (forall y, keeps x y -> f (Some y) <= base + worth omega a j y) ->
  expect P (visit N omega a pause F s c pairs x) f <= base + worth omega a j x.
Proof.
  intros Hx Hm Hb F0 Hf. rewrite <- worth_opened by exact Hm.
  refine (steps_expect _ _ P P01 (fun y => base + worth_now s m omega a j y) _ f _ _ _ _ _ (visit_kept F x Hx Hm)).
  - intros y u v add M. pose proof (worth_move y u v add M). lra.
  - intros y z T. pose proof (worth_thrown y z T). lra.
  - intros z [y|] (Hz & K); pose proof (worth_closed z Hz) as W.
    + destruct K as [-> K]. specialize (Hf _ K). lra.
    + pose proof (worth_nonneg _ (sound_closed (S m) z Hz)). lra.
Qed.
End Cell.

(** ** Stages *)

Section Stages.
Context {M : Type}.
Variables (P : arm -> arm -> R) (bad : option arm -> bool) (risk : M -> R) (I : M -> Prop).
Definition after (o : option (M * option arm)) : R :=
  match o with None => 0 | Some (mem, None) => risk mem | Some (_, Some i) => ind (bad (Some i)) end.
Definition kept (o : option (M * option arm)) : Prop := match o with Some (mem, _) => I mem | None => True end.

Lemma stages_error find stage (matches : option (arm * list (arm * arm)) -> Prop) n :
  (forall u v, 0 <= P u v <= 1) -> bad None = false -> (forall mem, I mem -> 0 <= risk mem) ->
  (forall s, leaves matches (find s)) ->
  (forall s mem c pairs, I mem -> matches (Some (c, pairs)) ->
    leaves kept (stage s mem c pairs) /\ expect P (stage s mem c pairs) after <= risk mem) ->
  forall s mem, I mem -> Pr P (stages find stage n s mem) bad <= risk mem.
Proof.
  intros P01 B Pos Hf Hs. induction n as [|n IH]; intros s mem Hm; [unfold Pr; cbn; rewrite B; auto|].
  cbn [stages]. unfold obind at 1. rewrite Pr_bind. eapply (E_le_leaves P P01); [apply Hf|].
  intros [[c pairs]|] Hp; cbn [fst snd]; [|unfold Pr; cbn; rewrite B; auto].
  destruct (Hs s mem c pairs Hm Hp) as [L E]. eapply Rle_trans; [|exact E]. unfold obind. rewrite Pr_bind.
  eapply (E_mono_leaves P P01); [exact L|]. intros [[mem' [i|]]|] Hm'; [apply Rle_refl|now apply IH|]. cbn. rewrite B.
  lra.
Qed.
End Stages.

Lemma left_in N x j : In j (filter (fun j => negb (gone x j)) (seq 0 N)) <-> (j < N)%nat /\ gone x j = false.
Proof. rewrite filter_In, in_seq, negb_true_iff. assert (0 <= j < 0 + N <-> j < N)%nat by lia. tauto. Qed.

(** An arm that is not out and not the answer leaves no answer. *)
Lemma answer_out N c x i j : answer N c x = Some i -> (j < N)%nat -> gone x j = false -> i = j.
Proof.
  intros A Hj G. pose proof (proj2 (left_in N x j) (conj Hj G)) as K. unfold answer in A.
  destruct (filter _ _) as [|k [|? ?]]; [destruct K| |discriminate]. destruct K as [->|[]]. now injection A.
Qed.

(** ** Nothing assumed *)

Section Nothing.
Variables (P : arm -> arm -> R) (N : nat) (delta : R).
Hypothesis HP : valid P.
Hypothesis Hdelta : 0 <= delta.
Let P01 := valid_01 P HP.

(** Another arm that [c] does not beat, or else [c]. *)
Definition rival (c : arm) : arm :=
  match List.find (fun j => negb (Nat.eqb j c || if Rlt_dec (1/2) (P c j) then true else false)) (seq 0 N) with
  | Some j => j
  | None => c
  end.
Lemma rival_spec c : P c (rival c) <= 1/2 /\ (beats_all P N c = true \/ (rival c < N)%nat /\ rival c <> c).
Proof.
  unfold rival, beats_all. destruct (List.find _ _) as [j|] eqn:E.
  - apply find_some in E. destruct E as [I E]. apply in_seq in I. apply negb_true_iff, orb_false_iff in E.
    destruct E as [E1 E2]. apply Nat.eqb_neq in E1. destruct (Rlt_dec _ _); [discriminate|]. split; [lra|].
    right. split; [lia|exact E1].
  - split; [pose proof (proj2 HP c c); lra|]. left. apply forallb_forall. intros j Hj.
    apply negb_false_iff, (find_none _ _ E j Hj).
Qed.

Definition cell_worth (k : nat) (c : arm) (x : cell) : R := worth omega_own (champion_level delta k) (rival c) x.
Fixpoint risk (k : nat) (l : cells) : R :=
  match l with
  | [] => delta * / (4 * INR k + 1)
  | (c, x) :: l' => cell_worth k c x + risk (S k) l'
  end.
Definition sound_cells (l : cells) : Prop := Forall (fun y => sound_cell (snd y) /\ gone (snd y) (fst y) = false) l.

Lemma own_range k : 0 <= omega_own <= 1 /\ 0 <= champion_level delta k.
Proof. unfold champion_level, omega_own. pose proof (part_pos k). split; [lra|]. apply Rmult_le_pos; lra. Qed.
Lemma cell_worth_nonneg k c x : sound_cell x -> 0 <= cell_worth k c x.
Proof. intro H. destruct (own_range k). now apply worth_nonneg. Qed.

Lemma risk_nonneg l : sound_cells l -> forall k, 0 <= risk k l.
Proof.
  intro H. induction H as [|[c x] l [Hx _] _ IH]; intro k; cbn [risk].
  - pose proof (pos_INR k). apply Rmult_le_pos; [lra|positive].
  - specialize (IH (S k)). pose proof (cell_worth_nonneg k c x Hx). lra.
Qed.

Lemma risk_new c l : forall k, risk k (l ++ [(c, empty)]) <= risk k l.
Proof.
  induction l as [|[i x] l IH]; intro k; cbn [risk app]; [|specialize (IH (S k)); lra].
  destruct (own_range k) as [O L]. pose proof (worth_empty omega_own (champion_level delta k) (rival c) O L) as W.
  fold (cell_worth k c empty) in W. unfold champion_level in W. rewrite part_telescopes in W. lra.
Qed.

(** The cell of [c], and what becomes of the risk when it changes. *)
Lemma position_put c l : sound_cells l -> forall k h, position c l = Some k -> let x := cell_at k l in
  (sound_cell x /\ gone x c = false) /\ exists base, 0 <= base /\ risk h l = base + cell_worth (h + k) c x /\ forall y,
  sound_cell y -> gone y c = false -> sound_cells (put k y l) /\ risk h (put k y l) = base + cell_worth (h + k) c y.
Proof.
  intro H. induction H as [|[i z] l [Hz Gz] H IH]; intros k h E; [discriminate|]. cbn [position fst snd] in *.
  destruct (Nat.eqb_spec i c) as [->|_].
  - injection E as <-. cbn. rewrite Nat.add_0_r. split; [auto|]. exists (risk (S h) l). split; [now apply risk_nonneg|].
    split; [ring|]. intros y Hy Gy. split; [constructor; auto|ring].
  - destruct (position c l) as [k'|]; [|discriminate]. injection E as <-.
    destruct (IH k' (S h) eq_refl) as (A & base & B0 & B & C). pose proof (cell_worth_nonneg h i z Hz).
    change (cell_at (S k') ((i, z) :: l)) with (cell_at k' l). rewrite <- Nat.add_succ_comm. split; [exact A|].
    exists (cell_worth h i z + base). cbn [put risk]. split; [lra|]. split; [rewrite B; ring|]. intros y Hy Gy.
    destruct (C y Hy Gy) as [C1 C2]. split; [constructor; auto|]. rewrite C2. ring.
Qed.
Lemma position_new c l : position c l = None -> position c (l ++ [(c, empty)]) = Some (length l).
Proof.
  induction l as [|[i x] l IH]; cbn [position app length]; [now rewrite Nat.eqb_refl|].
  destruct (Nat.eqb i c); [discriminate|]. destruct (position c l); [discriminate|]. now rewrite IH.
Qed.

Let safe (l : cells) (m : prog (option (cells * option arm))) : Prop :=
  leaves (kept sound_cells) m /\ expect P m (after (wrongly_returned P N) (risk 0)) <= risk 0 l.

Lemma visit_own_risk pause F s l k c pairs :
  sound_cells l -> position c l = Some k -> own_matches N (Some (c, pairs)) ->
  safe l (visit_own N delta pause F s l k c pairs).
Proof.
  intros Hl Hk (Hc & order & -> & _ & Ord). destruct (position_put c l Hl k 0 Hk) as ((Hx & Gx) & base & B0 & B & Put).
  cbn [Nat.add] in *. set (x := cell_at k l) in *. destruct (own_range k) as [O L], (rival_spec c) as [Loses Beats].
  assert (forall u v, In (u, v) (against c order) -> u = c /\ v <> c) as Pairs.
  { intros u v I. apply in_map_iff in I. destruct I as (j & [= <- <-] & I). split; [reflexivity|]. now apply Ord. }
  assert (forall u, ~ In (u, c) (against c order)) as NotC by (intros u I; now destruct (Pairs u c I)).
  unfold visit_own, obind. split.
  - eapply leaves_bind; [now apply visit_leaves with (m := visits x)|].
    intros [y|] K; [|exact Logic.I]. destruct K as [Hy Gy]. now apply Put; auto.
  - rewrite E_bind, B. apply visit_worth with (m := visits x); auto; [|apply Rle_refl|].
    + intros u [->|I]; [exact Loses|]. now destruct (Pairs u _ I) as [-> _].
    + intros y [Hy Gy]. specialize (Gy Gx). destruct (Put y Hy Gy) as [Hl' R]. fold (cell_worth k c y).
      rewrite <- R. cbn [expect after]. destruct (answer N c y) as [i|] eqn:A; [|apply Rle_refl].
      assert (i = c) as -> by (now apply (answer_out N c y i c A)). cbn [wrongly_returned].
      destruct Beats as [->|[Hj Ne]]; [now apply risk_nonneg|].
      assert (gone y (rival c) = true) as G.
      { destruct (gone y (rival c)) eqn:G; [reflexivity|]. now destruct Ne; symmetry; apply (answer_out N c y c _ A). }
      rewrite R. unfold cell_worth, worth. rewrite G. destruct (negb _); cbn [ind]; lra.
Qed.

Lemma own_stage_risk pause F s l c pairs : sound_cells l -> own_matches N (Some (c, pairs)) ->
  safe l (own_stage N delta pause F s l c pairs).
Proof.
  intros Hl Hp. unfold own_stage. destruct (position c l) as [k|] eqn:E; [now apply visit_own_risk|].
  assert (sound_cells (l ++ [(c, empty)])) as Hl' by (apply Forall_app; repeat constructor; exact Hl).
  destruct (visit_own_risk pause F s _ _ c pairs Hl' (position_new c l E) Hp) as [L K]. pose proof (risk_new c l 0).
  split.
  - eapply leaves_bind; [apply leaves_true|]. intros o _. destruct (certified o); [exact L|exact Hl].
  - rewrite E_bind. apply (E_le P P01). intro o. destruct (certified o); [lra|apply Rle_refl].
Qed.
End Nothing.

Theorem search_error : search_error_statement.
Proof.
  intros P N find delta pause F n HP Hd Hf. eapply Rle_trans.
  - apply (stages_error P (wrongly_returned P N) (risk P N delta 0) sound_cells) with (matches := own_matches N);
      auto using valid_01; [intros l Hl; now apply risk_nonneg| |constructor].
    intros s l c pairs Hl Hp. now apply own_stage_risk.
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
  assert (0 <= omega_life <= 1) as Ho by (unfold omega_life; lra). assert (0 <= delta) as Hd0 by lra.
  eapply Rle_trans; [|now apply (worth_empty omega_life delta w)].
  apply (stages_error P (wrong w) (worth omega_life delta w) sound_cell) with (matches := designated_matches N); auto;
    [intros x Hx; now apply worth_nonneg| |exact sound_empty].
  intros s x c pairs Hx (Hc & _ & Pairs & _). assert (forall u, ~ In (u, c) pairs) as NotC.
  { intros u I. now destruct (Pairs u c I) as (_ & _ & _ & []). }
  unfold life_stage, obind. split.
  - eapply leaves_bind; [now apply visit_leaves with (m := visits x)|].
    intros [y|] K; [apply K|exact Logic.I].
  - rewrite E_bind, <- (Rplus_0_l (worth _ _ _ x)). apply visit_worth with (m := visits x); auto; try apply Rle_refl.
    + intros u [->|I]; [auto|apply Loses, (Pairs u w I)].
    + intros y [Hy _]. cbn [expect after]. rewrite Rplus_0_l. destruct (answer N c y) as [i|] eqn:A; [|apply Rle_refl].
      cbn [wrong]. destruct (Nat.eqb_spec i w) as [->|Ne]; [now apply worth_nonneg|]. cbn [negb ind]. unfold worth.
      destruct (gone y w) eqn:G; [lra|]. now destruct Ne; apply (answer_out N c y i w A).
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
