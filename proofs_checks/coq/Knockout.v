(** * Find-then-certify with the knockout, and with a budget (not in the paper)

    The knockout finds the winner often enough ([knockout_finds]), and its notes give the matches. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List Permutation.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT Limits Trees.
From TGITE Require Import ScreenAndReplace BudgetedDuelTest MixtureTest LowerBound SprtTest Likelihood Certificate.
From TGITE Require Import Rounds.
Open Scope R_scope.

(** ** The knockout *)

(** What is noted: everybody but the survivors [X], by whom they were thrown out; the last of these is still
    there. *)
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

Lemma noted_match entrants R u v x y Y noted :
  NoDup entrants -> x = u /\ y = v \/ x = v /\ y = u -> notes entrants (R ++ u :: v :: Y) noted ->
  notes entrants ((R ++ [x]) ++ Y) ((x, y) :: noted).
Proof.
  intros ND Hxy [A B _].
  assert (Permutation (((R ++ [x]) ++ Y) ++ y :: map snd noted) entrants) as D.
  { eapply Permutation_trans; [|exact A]. apply (Permutation_count_occ Nat.eq_dec). intro z.
    rewrite !count_occ_app. cbn [count_occ].
    destruct Hxy as [[-> ->]|[-> ->]]; repeat destruct (Nat.eq_dec _ z); lia. }
  assert (~ In y (((R ++ [x]) ++ Y) ++ map snd noted)) as Ne.
  { apply NoDup_remove_2, (Permutation_NoDup (Permutation_sym D) ND). }
  assert (In x (R ++ [x])) as X by (apply in_or_app; simpl; auto).
  split; [exact D| |auto using in_or_app]. intros a b [[= <- <-]|H]; [|auto].
  split; [apply (Permutation_in _ D)|intros ->; apply Ne]; auto 8 using in_or_app.
Qed.

Lemma leaves_bind_inv {T A B} (Q : B -> Prop) (m : program T A) (k : A -> program T B) :
  leaves Q (bind m k) -> leaves (fun a => leaves Q (k a)) m.
Proof. induction m as [a|t u v f IH]; cbn [bind leaves]; [auto|]. intros [H H']. split; apply IH; auto. Qed.

(** Of the answer and the notes, if there are any. *)
Definition noted_so {A} (Q : A -> list (arm * arm) -> Prop) (o : option (A * list (arm * arm))) : Prop :=
  match o with None => True | Some (a, noted) => Q a noted end.

Section Noting.
Context {cv : conventions} {tag : Type}.
Variable test : exact -> arm -> arm -> program tag (option arm).

Lemma noting_obind {A B} (Q : option (B * list (arm * arm)) -> Prop) (m : program asked (option A))
    (k : A -> program asked (option B)) : Q None -> forall noted,
  leaves (noted_so (fun a noted => leaves Q (noting test noted (k a)))) (noting test noted m) ->
  leaves Q (noting test noted (obind m k)).
Proof.
  intro Q0. unfold obind at 1. induction m as [[a|]|[l|b] u v f IH]; intros noted H; cbn [bind noting] in *; auto.
  apply leaves_bind_inv in H. eapply leaves_bind; [exact H|]. intros [x|] Hx; [|exact Q0].
  destruct (Nat.eqb x u); apply IH; exact Hx.
Qed.

Variable entrants : list arm.
Hypothesis ND : NoDup entrants.

Lemma noting_round l : forall n X R noted, (length X <= n)%nat -> notes entrants (R ++ X) noted ->
  leaves (noted_so (fun Z => notes entrants (R ++ Z))) (noting test noted (round ask l X)).
Proof.
  induction n as [|n IH]; intros X R noted Hn H; destruct X as [|u [|v Y]]; try exact H; [cbn [length] in Hn; lia|].
  assert (forall x y, x = u /\ y = v \/ x = v /\ y = u -> leaves (noted_so (fun Z => notes entrants (R ++ Z)))
      (noting test ((x, y) :: noted) (obind (round ask l Y) (fun Z => Ret (Some (x :: Z)))))) as K.
  { intros x y Hxy. apply noting_obind; [exact Logic.I|].
    eapply leaves_impl; [apply (IH Y (R ++ [x])); [cbn [length] in Hn; lia|eapply noted_match; eauto]|].
    intros [[Z noted']|]; [|auto]. cbn. now rewrite <- app_assoc. }
  eapply leaves_bind; [apply leaves_true|]. intros [x|] _; [|exact Logic.I]. destruct (Nat.eqb x u); apply K; auto.
Qed.

Lemma noting_bkt dr : forall f r X noted, notes entrants X noted ->
  leaves (noted_so (fun c => notes entrants [c])) (noting test noted (bkt ask entrants f dr r X)).
Proof.
  induction f as [|f IH]; intros r X noted H; destruct X as [|x [|y Y]]; try exact Logic.I; try exact H. cbv zeta.
  apply noting_obind; [exact Logic.I|].
  eapply leaves_impl; [apply (noting_round _ _ _ [] _ (le_n _)); eapply notes_perm; [|exact H]|].
  - apply Permutation_sym, pairing_perm.
  - intros [[Z noted']|]; [|auto]. apply IH.
Qed.
End Noting.

Lemma filter_perm {A} (f : A -> bool) l : Permutation (filter f l ++ filter (fun x => negb (f x)) l) l.
Proof.
  induction l as [|x l IH]; cbn [filter app]; [auto|]. destruct (f x); cbn [negb app]; [auto|].
  eapply Permutation_trans; [apply Permutation_sym, Permutation_middle|auto].
Qed.

(** So the matches are as they should be. *)
Lemma noted_designated N c noted : (2 <= N)%nat -> notes (seq 0 N) [c] noted ->
  designated_matches N (Some (c, suspects c noted)).
Proof.
  intros HN [A B C]. cbn [app] in A. pose proof (Permutation_length A) as HL. cbn [length] in HL.
  rewrite map_length, seq_length in HL.
  assert (NoDup (c :: map snd noted)) as ND by (eapply Permutation_NoDup; [apply Permutation_sym, A|apply seq_NoDup]).
  assert (Permutation (suspects c noted) noted) as F by apply filter_perm.
  assert (forall j, In j (c :: map snd noted) <-> (j < N)%nat) as Range.
  { intro j. rewrite (perm_In _ _ j A), in_seq. lia. }
  split; [apply Range; simpl; auto|]. split; [rewrite (Permutation_length F); lia|]. split; [|split].
  - intros u v H. apply (Permutation_in _ F) in H. destruct (B u v H) as [U Ne]. apply in_seq in U.
    assert (In v (map snd noted)) as V by (apply in_map_iff; exists (u, v); auto).
    split; [lia|]. split; [apply Range; simpl; auto|]. split; [exact Ne|]. intros ->. inversion ND; auto.
  - intros j Hj Hjc. apply Range in Hj. destruct Hj as [E|Hj]; [congruence|]. apply in_map_iff in Hj.
    destruct Hj as ([u v] & E & Hj). cbn in E. subst v. exists u. apply (Permutation_in _ (Permutation_sym F)), Hj.
  - intros u v. destruct noted as [|[x y] noted]; [cbn in HL; lia|]. destruct C as [<-|[]]. unfold suspects.
    cbn [filter fst]. rewrite Nat.eqb_refl. intros [[= <- <-]|[]]. reflexivity.
Qed.

Lemma noted_own N c noted : (2 <= N)%nat -> notes (seq 0 N) [c] noted -> own_matches N (Some (c, its_own c noted)).
Proof.
  intros HN H. destruct (noted_designated N c noted HN H) as (Hc & HL & HP & HA & _). split; [exact Hc|].
  exists (map snd (suspects c noted)). split; [reflexivity|]. split; [now rewrite map_length|]. intro j. split.
  - intro Hj. apply in_map_iff in Hj. destruct Hj as ([u v] & <- & Hj). destruct (HP u v Hj) as (_ & V & _ & Ne). auto.
  - intros [Hj Hjc]. destruct (HA j Hj Hjc) as (u & Hu). apply in_map_iff. exists (u, j). auto.
Qed.

Lemma tournament_matches {cv : conventions} {tag} (test : exact -> arm -> arm -> program tag (option arm)) N :
  (2 <= N)%nat ->
  leaves (own_matches N) (tournament test its_own N) /\ leaves (designated_matches N) (tournament test suspects N).
Proof.
  intro HN. assert (notes (seq 0 N) (seq 0 N) []) as H.
  { split; [now rewrite app_nil_r|intros ? ? []|exact Logic.I]. }
  pose proof (noting_bkt test _ (seq_NoDup N 0) (round_level (level 1 8)) (length (seq 0 N)) 0 (seq 0 N) [] H) as K.
  split; (eapply leaves_bind; [exact K|]); intros [[c noted]|] Hc; try exact Logic.I; cbn [leaves].
  - now apply noted_own.
  - now apply noted_designated.
Qed.

(** Otherwise it is the knockout. *)
Lemma E_noting P {A} test (m : program asked (option A)) f : forall noted,
  expect P (noting test noted m) (fun o => f (option_map fst o)) = expect P (play test m) f.
Proof.
  induction m as [[a|]|[l|n] u v k IH]; intro noted; cbn [noting play]; try reflexivity;
    [|rewrite E_self_play; apply IH].
  unfold obind. rewrite !E_bind. apply E_ext. intros [x|]; [|reflexivity]. destruct (Nat.eqb x u); apply IH.
Qed.
Lemma maxT_bind_le {T A B C} (m : program T A) (k : A -> program T B) (k' : A -> program T C) :
  (forall a, (maxT (k a) <= maxT (k' a))%nat) -> (maxT (bind m k) <= maxT (bind m k'))%nat.
Proof. intro H. induction m as [a|t u v f IH]; cbn [bind maxT]; [apply H|]. apply le_n_S, Nat.max_le_compat; apply IH.
Qed.
Lemma maxT_self_play {A} n c (m : prog A) : (maxT m <= maxT (self_play n c m))%nat.
Proof. induction n as [|n IH]; cbn [self_play maxT]; [apply le_n|]. lia. Qed.
Lemma maxT_noting {A} test (m : program asked (option A)) : forall noted,
  (maxT (noting test noted m) <= maxT (play test m))%nat.
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
Proof.
  rewrite <- (play_BKT cv t X (level 1 8)), value_eighth; [reflexivity|intros; apply BDT_leaves|apply seq_NoDup].
Qed.

Lemma knockout_starts matches : starts (knockout matches N s).
Proof.
  pose proof (gap_range s) as Hg. unfold knockout, tournament. set (test := fun l => _).
  assert (starts (noting test [] (BKT ask X (level 1 8)))) as S.
  { assert (length X = N) as L by apply seq_length. destruct X as [|x [|y Y]]; cbn [length] in L; try lia. unfold BKT.
    cbn [length]. rewrite bkt_step. cbv zeta. set (Z := x :: y :: Y).
    assert (2 <= length (pairing Z 0 Z))%nat as PL.
    { rewrite (Permutation_length (pairing_perm Z 0 Z)). unfold Z. cbn [length]. lia. }
    destruct (pairing Z 0 Z) as [|u [|v V]]; cbn [length] in PL; try lia. apply starts_obind. unfold test, BDT.
    rewrite value_round, value_eighth.
    pose proof (truncated_starts (gap s) (round_level (1/8) 0) Hg (round_level_range (1/8) 0 ltac:(lra))) as B.
    set (n := bbudget _ _ _) in *. destruct n; [lia|exact Logic.I]. }
  destruct (noting _ _ _); [destruct S|exact Logic.I].
Qed.

Lemma knockout_cost P matches : (forall u v, 0 <= P u v <= 1) ->
  ET P (knockout matches N s) <= C_find * INR (N - 1) / (gap s * gap s).
Proof.
  intro P01. pose proof (gap_range s) as Hg. unfold knockout, tournament.
  rewrite ET_bind. cbn [ET]. rewrite E_const, Rplus_0_r.
  eapply Rle_trans; [apply ET_le_max; auto|]. eapply Rle_trans; [apply le_INR, maxT_noting|]. fold X.
  change (fun l => BDT truncated_sprt (gap s) (value l)) with (fun l => t (value l)).
  rewrite knockout_plays. assert (length X = N) as L by apply seq_length.
  assert (0 < / (gap s * gap s)) as I by positive.
  eapply Rle_trans; [apply (BKT_cost (fun A m => INR (maxT m)))
    with (ok := fun _ => True) (base := ts_base (gap s)) (slope := ts_slope (gap s));
    auto using maxT_additive; try lra|].
  - apply BDT_leaves.
  - unfold ts_base, Rdiv. lra.
  - unfold ts_slope, Rdiv. lra.
  - intros d u v Hd _ _ _. eapply Rle_trans; [apply le_INR, seqtest_maxT|]. now apply truncated_budget.
  - apply seq_NoDup.
  - lia.
  - rewrite L. pose proof ln2_le. replace (/ (1 / 8)) with (2 ^ 3) by field. rewrite ln_pow by lra. simpl (INR 3).
    unfold ts_base, ts_slope, bkt_extra, C_find. pose proof (pos_INR (N - 1)).
    apply Rle_trans with (INR (N - 1) * (241/100 * / (gap s * gap s))); [|right; unfold Rdiv; ring].
    apply Rmult_le_compat_l; [lra|]. nra.
Qed.

(** Who comes out of the knockout, without the notes. *)
Lemma knockout_Pr P matches ev ev' : ev None = ev' None -> (forall c pairs, ev (Some c) = ev' (Some (c, pairs))) ->
  Pr P (BKT t X (1/8)) ev = Pr P (knockout matches N s) ev'.
Proof.
  intros E0 E1. rewrite <- knockout_plays. unfold Pr at 1. rewrite <- (E_noting P _ _ _ []).
  unfold Pr, knockout, tournament. rewrite E_bind.
  apply E_ext. intros [[c noted]|]; cbn [option_map fst expect]; [now rewrite (E1 c (matches c noted))|now rewrite E0].
Qed.

Lemma knockout_answers P matches : (forall u v, 0 <= P u v <= 1) -> Pr P (knockout matches N s) ran_out = 0.
Proof.
  intro P01. rewrite <- (knockout_Pr P matches ran_out ran_out); auto.
  assert (length X = N) as L by apply seq_length. apply BKT_answers; auto; [lra|apply seq_NoDup|rewrite L; lia].
Qed.

Lemma knockout_right P w Delta matches : condorcet P N w Delta -> gap s <= Delta ->
  7/8 <= Pr P (knockout matches N s) (found w).
Proof.
  intros HC Hs. pose proof HC as [P01 PA Hw Win]. pose proof (gap_range s) as Hg.
  assert (length X = N) as L by apply seq_length.
  assert (Pr P (BKT t X (1/8)) (wrong w) <= 1 * (1/8)) as Wrong.
  { pose proof (truncated_sprt_is_pairwise_test P N w (gap s) (condorcet_weaken P N w Delta (gap s) Hs HC) Hg) as T.
    apply BKT_correct; auto using BDT_leaves, seq_NoDup; try lra; [apply BDT_leaves|apply seq_NoDup|apply in_seq; lia|].
    intros d j Hd Hj. apply in_seq in Hj. apply (pt_correct _ _ _ _ _ _ _ T 0%nat d j Hd). lia. }
  assert (Pr P (BKT t X (1/8)) ran_out = 0) as Ans.
  { apply BKT_answers; auto; [lra|apply seq_NoDup|rewrite L; lia]. }
  apply Rle_trans with (Pr P (BKT t X (1/8)) (is_arm w)); [rewrite Pr_total, Ans; lra|].
  right. now apply knockout_Pr.
Qed.
End Knockout.

Theorem knockout_finds : knockout_finds_statement.
Proof.
  intros cv P N w Delta HC HN. pose proof (c_01 _ _ _ _ HC) as P01.
  split; (split; [intro s; apply tournament_matches; exact HN|]); (split; [intro s; now apply knockout_starts|]);
    (split; [intro s; now apply knockout_cost|]); (split; [intros s Hs; now apply (knockout_right N s HN P w Delta)|]);
    intro s; now apply knockout_answers.
Qed.

