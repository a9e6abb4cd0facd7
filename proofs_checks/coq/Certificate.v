(** * Certificates: that an arm beats every other one (not in the paper)

    A certificate is a list of one-sided matches; the first arm of each has to win.  A certificate can
    be wrong only if the first arm of some match is not the better one and yet wins that match.  So
    the probability of error is that of one match, whatever the number of arms and without an
    assumption on the instance.
    An arm's own certificate: it wins a match against every other arm ([against]). *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits MixtureTest LowerBound Likelihood.
Open Scope R_scope.

(** Play the matches of a list of pairs in turn, until one is not won by its first arm. *)
Fixpoint certify {T} (test : arm -> arm -> program T (option arm)) (pairs : list (arm * arm))
    : program T (option bool) :=
  match pairs with
  | [] => Ret (Some true)
  | (u, v) :: rest => obind (test u v) (fun x => if Nat.eqb x u then certify test rest else Ret (Some false))
  end.
Definition certified (o : option bool) : bool := match o with Some true => true | _ => false end.
Definition refused (o : option bool) : bool := match o with Some false => true | _ => false end.

Definition against (c : arm) (order : list arm) : list (arm * arm) := map (fun j => (c, j)) order.

(** [m] cut off after [budget] duels; it answers [None] if [m] has not answered by then. *)
Fixpoint within {T A} (budget : nat) (m : program T (option A)) {struct m} : program T (option A) :=
  match m with
  | Ret o => Ret o
  | Ask t u v k => match budget with O => Ret None | S b => Ask t u v (fun x => within b (k x)) end
  end.

(** ** No assumption *)

(** [m] gives an answer with [says_so] only after [shown] has held in the duels of [u] and [v], of which
    there have been [n], with [s] wins of [u].  Apart from that, [m] may do anything in any order, and
    may stop at any time. *)
Fixpoint only_when_shown {A} (shown : nat -> nat -> bool) (u v : arm) (says_so : A -> bool) (n s : nat) (m : prog A)
    : Prop :=
  match m with
  | Ret a => says_so a = false
  | Ask _ x y k =>
      if Nat.eqb x u && Nat.eqb y v
      then forall b, shown (S n) (b2n b + s)%nat = true \/ only_when_shown shown u v says_so (S n) (b2n b + s) (k b)
      else if Nat.eqb x v && Nat.eqb y u
      then forall b, shown (S n) (b2n (negb b) + s)%nat = true \/
        only_when_shown shown u v says_so (S n) (b2n (negb b) + s) (k b)
      else forall b, only_when_shown shown u v says_so n s (k b)
  end.

(** If [u] is not better than [v], such a program says that it is with probability at most [d]. *)
Definition any_certificate_statement : Prop := forall V P d u v A (says_so : A -> bool) (m : prog A),
  evidence V -> valid P -> 0 < d -> u <> v -> P u v <= 1/2 ->
  only_when_shown (reaches V d) u v says_so 0 0 m -> Pr P m says_so <= d.

(** An arm that does not beat every other one is certified with probability at most [d].  This holds for
    every preference matrix, order of the matches and budget, and for every rule that declares a match
    won on evidence only. *)
Definition certificate_error_statement : Prop := forall V P N c order d stop F budget,
  evidence V -> valid P -> 0 < d -> (forall n s, (s <= n)%nat -> stop n s = Some true -> reaches V d n s = true) ->
  (forall j, (j < N)%nat -> j <> c -> In j order) -> (exists j, (j < N)%nat /\ j <> c /\ P c j <= 1/2) ->
  Pr P (within budget (certify (seqtest stop never F 0 0) (against c order))) certified <= d.

(** With a margin [m] a match may also end as a draw, so that ties end.  It is drawn when the opponent's
    likelihood ratio of a gap of [m] has fallen to d/2, and won on evidence at level d/2.  If some arm
    beats [c] by the margin, the probability that all matches are won or drawn is at most [d]. *)
Definition margin_certificate_error_statement : Prop := forall V P N c order m d stop F budget,
  evidence V -> valid P -> 0 < m < 1/2 -> 0 < d ->
  (forall n s, (s <= n)%nat -> stop n s = Some true ->
     reaches V (d / 2) n s = true \/ sinks (likelihood m) (d / 2) n (n - s) = true) ->
  (forall j, (j < N)%nat -> j <> c -> In j order) -> (exists j, (j < N)%nat /\ j <> c /\ P c j <= 1/2 - m) ->
  Pr P (within budget (certify (seqtest stop never F 0 0) (against c order))) certified <= d.

(** ** If every first arm is better by [g]

    Suppose that the rule goes on only while likelihood g < 1/d, and gives up only when it has fallen to e.
    Then all matches are won within the budget, except with a small probability.  Their expected
    number of duels is a sum over the pairs. *)
Definition complete_rule (g d e : R) (stop : nat -> nat -> option bool) : Prop := forall n s, (s <= n)%nat ->
  (stop n s = None -> reaches (likelihood g) d n s = false) /\
  (stop n s = Some false -> sinks (likelihood g) e n s = true).

Definition certificate_complete_statement : Prop := forall P g d e stop F budget pairs,
  valid P -> 0 < g < 1/2 -> 0 < d < 1 -> 0 <= e -> complete_rule g d e stop -> (budget <= F)%nat ->
  (forall u v, In (u, v) pairs -> u <> v /\ 1/2 + g <= P u v) ->
  let run := certify (seqtest stop never F 0 0) pairs in
  1 - (INR (length pairs) * e + exp (INR (length pairs) * (ln ((1 + 2 * g) / d) / 2) - INR budget * (g * g / 2)))
    <= Pr P (within budget run) certified /\
  ET P run <= INR (length pairs) * L_time g d.

(** [within budget m] never takes more duels than the budget. *)
Definition within_budget_statement : Prop := forall T A budget (m : program T (option A)),
  (maxT (within budget m) <= budget)%nat.

(** * Proofs *)

Theorem within_budget : within_budget_statement.
Proof.
  intros T A budget m. revert budget. induction m as [o|t u v k IH]; intro B; cbn [within]; [apply Nat.le_0_l|].
  destruct B as [|B]; cbn [maxT]; [apply Nat.le_0_l|]. apply le_n_S, Nat.max_lub; apply IH.
Qed.

Section Within.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.

Lemma E_le_leaves {T A} (Q : A -> Prop) (m : program T A) f c :
  leaves Q m -> (forall a, Q a -> f a <= c) -> expect P m f <= c.
Proof. intros L H. rewrite <- (E_const P m c). now apply (E_mono_leaves P P01 Q). Qed.
Lemma E_le {T A} (m : program T A) f c : (forall a, f a <= c) -> expect P m f <= c.
Proof. intro H. apply (E_le_leaves _ _ _ _ (leaves_true m)). auto. Qed.
Lemma Pr_not {T A} (m : program T A) (ev : A -> bool) : expect P m (fun a => if ev a then 0 else 1) = 1 - Pr P m ev.
Proof. unfold Pr. induction m as [a|t u v k IH]; cbn [expect]; [destruct (ev a); lra|]. rewrite !IH. ring. Qed.

(** At most [c] where [ev] occurs, and otherwise at most [x] more. *)
Lemma E_unless {T A} (Q : A -> Prop) (m : program T A) (ev : A -> bool) f c x e : leaves Q m -> 0 <= x ->
  1 - e <= Pr P m ev -> (forall a, Q a -> f a <= c + if ev a then 0 else x) -> expect P m f <= c + e * x.
Proof.
  intros L Hx He H. apply Rle_trans with (expect P m (fun a => c + x * (if ev a then 0 else 1))).
  - eapply (E_mono_leaves P P01); [exact L|]. intros a Ha. specialize (H a Ha). destruct (ev a); lra.
  - rewrite E_plus, E_const, E_scal, Pr_not. apply (Rmult_le_compat_r x) in He; lra.
Qed.

Lemma Pr_bind {T A B} (m : program T A) (k : A -> program T B) ev :
  Pr P (bind m k) ev = expect P m (fun a => Pr P (k a) ev).
Proof. apply E_bind. Qed.
Lemma Pr_bind_le {T A B} (m : program T A) (k : A -> program T B) bad ev x y : 0 <= y ->
  Pr P m bad <= x -> (forall a, bad a = false -> Pr P (k a) ev <= y) -> Pr P (bind m k) ev <= x + y.
Proof.
  intros Hy Hm H. rewrite Pr_bind. apply Rle_trans with (expect P m (fun a => (if bad a then 1 else 0) + y)).
  - apply E_mono; auto. intro a. specialize (H a). pose proof (Pr_le1 P P01 (k a) ev). destruct (bad a); [lra|]. lra.
  - rewrite E_plus, E_const. fold (Pr P m bad). lra.
Qed.

Lemma ET_bind_le {T A B} (m : program T A) (k : A -> program T B) x y :
  ET P m <= x -> (forall a, ET P (k a) <= y) -> ET P (bind m k) <= x + y.
Proof. intros H H'. rewrite ET_bind. apply Rplus_le_compat; [exact H|now apply E_le]. Qed.

Lemma within_refines {T A} (m : program T (option A)) : forall B, refines (within B m) m.
Proof.
  induction m as [o|t u v k IH]; intro B; cbn [within]; [apply refines_refl|].
  destruct B as [|B]; constructor. intro b. apply IH.
Qed.

Lemma within_Pr {T A} (m : program T (option A)) B ev : ev None = false -> Pr P (within B m) ev <= Pr P m ev.
Proof. intro H. apply refines_Pr; auto using within_refines. Qed.

(** Markov's inequality, for a program that does not run out before. *)
Lemma exp_time_ge1 {A} h (m : prog A) : 0 <= h -> 1 <= exp_time P h m.
Proof.
  intro Hh. pose proof (exp_ineq1_le h). induction m as [a|t u v k IH]; cbn [exp_time]; [lra|].
  pose proof (conv_ge (P u v) _ _ 1 (P01 u v) (IH true) (IH false)) as C. nra.
Qed.

Lemma within_markov {A} h (m : prog (option A)) : 0 <= h -> forall B, uncut B m = true ->
  exp (INR B * h) * Pr P (within B m) ran_out <= exp_time P h m.
Proof.
  intro Hh. induction m as [o|t u v k IH]; intros [|B] U.
  1,3: simpl (INR 0); rewrite Rmult_0_l, exp_0, Rmult_1_l; eapply Rle_trans; [now apply Pr_le1|now apply exp_time_ge1].
  - destruct o; [|discriminate]. cbn. lra.
  - apply andb_prop in U. destruct U as [U1 U0].
    pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (IH true B U1) (IH false B U0)) as M.
    replace (INR (S B) * h) with (h + INR B * h) by (rewrite S_INR; ring). rewrite exp_plus, Rmult_assoc.
    unfold Pr in *. cbn [within exp_time expect]. apply Rmult_le_compat_l; [left; apply exp_pos|]. lra.
Qed.

Lemma Pr_certified {T} (m : program T (option bool)) : Pr P m certified = 1 - Pr P m refused - Pr P m ran_out.
Proof. unfold Pr. induction m as [[[|]|]|t u v k IH]; cbn; [lra|lra|lra|]. rewrite !IH. ring. Qed.

(** ** One match decides *)

Lemma certify_error {T} (test : arm -> arm -> program T (option arm)) budget u v d pairs : 0 <= d ->
  In (u, v) pairs -> Pr P (test u v) (is_arm u) <= d -> Pr P (within budget (certify test pairs)) certified <= d.
Proof.
  intros Hd Hin Hm. eapply Rle_trans; [now apply within_Pr|]. induction pairs as [|[x y] rest IH]; [destruct Hin|].
  destruct Hin as [[= -> ->]|Hin].
  - rewrite <- (Rplus_0_r d). apply (Pr_bind_le _ _ (is_arm u)); [lra|exact Hm|].
    intros [z|] Hz; cbn in *; rewrite ?Hz; unfold Pr; cbn; lra.
  - apply (Pr_obind_uniform P P01); auto. intro z. destruct (Nat.eqb z x); [apply IH, Hin|]. cbn. lra.
Qed.

Lemma certify_refused {T} (test : arm -> arm -> program T (option arm)) e pairs : 0 <= e ->
  (forall u v, In (u, v) pairs -> Pr P (test u v) (wrong u) <= e) ->
  Pr P (certify test pairs) refused <= INR (length pairs) * e.
Proof.
  intros He H. induction pairs as [|[x y] rest IH]; [unfold Pr; cbn; lra|]. cbn [certify length]. rewrite S_INR.
  assert (0 <= INR (length rest) * e) by positive.
  eapply Rle_trans; [apply (Pr_union P P01 (fun _ => True)) with (bad := wrong x) (d := INR (length rest) * e);
    auto using leaves_true|].
  - intros z _ Hz. apply negb_false_iff in Hz. rewrite Hz. apply IH. intros. apply H. now right.
  - replace ((INR (length rest) + 1) * e) with (e + INR (length rest) * e) by ring. apply Rplus_le_compat_r.
    apply (H x y (or_introl eq_refl)).
Qed.
End Within.

(** What a match costs at most, each costs at most: duels, the probability to run out, or the notice of a horizon. *)
Lemma certify_cost cost (Add : additive cost) test t pairs : 0 <= t ->
  (forall u v, In (u, v) pairs -> cost arm (test u v) <= t) -> cost bool (certify test pairs) <= INR (length pairs) * t.
Proof.
  intros Ht H. induction pairs as [|[x y] rest IH]; cbn [certify length]; [rewrite (cost_some _ Add); simpl; lra|].
  rewrite S_INR, Rplus_comm, Rmult_plus_distr_r, Rmult_1_l. assert (0 <= INR (length rest) * t) by positive.
  apply Rle_trans with (cost arm (test x y) + INR (length rest) * t); [|apply Rplus_le_compat_r, H; now left].
  apply (cost_obind _ Add) with (Q := fun _ => True); auto using leaves_true. intros z _.
  destruct (Nat.eqb z x); [apply IH; intros; apply H; now right|now rewrite (cost_some _ Add)].
Qed.
Lemma certify_uncut test B pairs : (forall u v, uncut B (test u v) = true) -> uncut B (certify test pairs) = true.
Proof.
  intro H. apply cut_cost_0. rewrite <- (Rmult_0_r (INR (length pairs))).
  apply (certify_cost _ (cut_cost_additive B)); [lra|]. intros u v _. unfold cut_cost. rewrite H. lra.
Qed.

Theorem certificate_error : certificate_error_statement.
Proof.
  intros V P N c order d stop F B HV HP Hd Hs Hall (j & Hj & Hjc & Hp).
  apply certify_error with (u := c) (v := j); [now apply valid_01|lra|apply in_map; auto|].
  apply (one_sided_error V P d c j stop F); auto.
Qed.

Lemma hit_or p ev ev' (Hp : 0 <= p <= 1) k : forall n s,
  hit p (fun n s => ev n s || ev' n s) k n s <= hit p ev k n s + hit p ev' k n s.
Proof.
  induction k as [|k IH]; intros n s; cbn [hit]; [lra|].
  assert (G : forall s', (if ev (S n) s' || ev' (S n) s' then 1 else hit p (fun n s => ev n s || ev' n s) k (S n) s')
    <= (if ev (S n) s' then 1 else hit p ev k (S n) s') + (if ev' (S n) s' then 1 else hit p ev' k (S n) s')).
  { intro s'. specialize (IH (S n) s'). pose proof (hit_le1 p ev Hp k (S n) s').
    pose proof (hit_le1 p ev' Hp k (S n) s'). destruct (ev (S n) s'), (ev' (S n) s'); cbn [orb]; lra. }
  pose proof (conv_mono _ _ _ _ _ Hp (G (S s)) (G s)). lra.
Qed.

Theorem margin_certificate_error : margin_certificate_error_statement.
Proof.
  intros V P N c order m d stop F B HV HP Hm Hd Hs Hall (j & Hj & Hjc & Hp). pose proof (valid_01 P HP) as P01.
  pose proof (P01 c j) as Pcj. apply certify_error with (u := c) (v := j); [exact P01|lra|apply in_map; auto|].
  eapply Rle_trans; [apply (seqtest_shown P P01 c j (not_eq_sym Hjc) true stop
    (fun n s => reaches V (d / 2) n s || sinks (likelihood m) (d / 2) n (n - s)))|].
  { intros n s Hn E. apply orb_true_iff. now apply Hs. }
  eapply Rle_trans; [apply hit_or; auto|]. rewrite (hit_mirror (P c j) (sinks (likelihood m) (d / 2))) by lia.
  pose proof (evidence_error V (P c j) (d / 2) F HV ltac:(lra) ltac:(lra)).
  pose proof (likelihood_sinks m (1 - P c j) (d / 2) F ltac:(lra) ltac:(lra) ltac:(lra)). cbn [Nat.sub]. lra.
Qed.

(** ** Any program *)

Theorem any_certificate : any_certificate_statement.
Proof.
  intros V P d u v A says_so m HV HP Hd Huv Hp Hm. pose proof (valid_01 P HP) as P01. destruct HP as [_ PA].
  assert (K : forall n s, (s <= n)%nat -> only_when_shown (reaches V d) u v says_so n s m ->
    Pr P m says_so <= d * V n s).
  { clear Hm. destruct HV as [_ V0 Vs]. induction m as [a|t x y k IH]; intros n s Hn H.
    - cbn. rewrite H. apply Rmult_le_pos; [lra|auto].
    - assert (forall b s', (s' <= S n)%nat -> reaches V d (S n) s' = true \/ only_when_shown (reaches V d) u v says_so
        (S n) s' (k b) ->
                Pr P (k b) says_so <= d * V (S n) s') as G.
      { intros b s' Hs' [E|E]; [|now apply IH]. unfold reaches in E. destruct (Rle_dec _ _) as [h|]; [|discriminate].
        eapply Rle_trans; [apply Pr_le1; auto|exact h]. }
      assert (forall p, 0 <= p <= 1/2 -> p * (d * V (S n) (S s)) + (1 - p) * (d * V (S n) s) <= d * V n s) as Fair.
      { intros p Hp'. specialize (Vs p n s Hp' Hn). apply (Rmult_le_compat_l d) in Vs; lra. }
      unfold Pr. cbn [expect]. fold (Pr P (k true) says_so). fold (Pr P (k false) says_so). cbn [only_when_shown] in H.
      destruct (Nat.eqb x u && Nat.eqb y v) eqn:C1; [|destruct (Nat.eqb x v && Nat.eqb y u) eqn:C2].
      3: apply conv_le; [apply P01| |]; now apply IH.
      all: specialize (Fair (P u v) ltac:(split; [apply P01|exact Hp])).
      + rewrite andb_true_iff, !Nat.eqb_eq in C1. destruct C1 as [-> ->].
        pose proof (conv_mono _ _ _ _ _ (P01 u v) (G true (S s) ltac:(lia) (H true)) (G false s ltac:(lia) (H false))).
        lra.
      + rewrite andb_true_iff, !Nat.eqb_eq in C2. destruct C2 as [-> ->]. rewrite (PA u v).
        pose proof (conv_mono _ _ _ _ _ (P01 u v) (G false (S s) ltac:(lia) (H false)) (G true s ltac:(lia) (H true))).
        lra. }
  eapply Rle_trans; [apply (K 0%nat 0%nat); [lia|exact Hm]|]. destruct HV as [V1 _ _].
  apply (Rmult_le_compat_l d) in V1; lra.
Qed.

Lemma L_time_nonneg g d : 0 < g < 1/2 -> 0 < d < 1 -> 0 <= L_time g d.
Proof.
  intros Hg Hd. pose proof (ln_inv_pos d Hd). assert (0 <= ln (1 + 2 * g)) by (rewrite <- ln_1; apply ln_le; lra).
  unfold L_time. positive.
Qed.

(** ** The matches together *)

Section Long.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.

Lemma exp_time_obind {A B} h (m : prog (option A)) (k : A -> prog (option B)) K : 0 <= h -> 1 <= K ->
  (forall a, exp_time P h (k a) <= K) -> exp_time P h (obind m k) <= exp_time P h m * K.
Proof.
  intros Hh HK H. unfold obind. induction m as [[a|]|t u v f IH]; cbn [bind exp_time]; [rewrite Rmult_1_l; auto|lra|].
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos|].
  pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (IH true) (IH false)). lra.
Qed.

Lemma certify_exp_time test h K pairs : 0 <= h -> 1 <= K ->
  (forall u v, In (u, v) pairs -> exp_time P h (test u v) <= K) ->
  exp_time P h (certify test pairs) <= K ^ length pairs.
Proof.
  intros Hh HK H. induction pairs as [|[x y] rest IH]; [cbn; lra|]. cbn [certify length pow].
  assert (1 <= K ^ length rest) as K1 by (apply pow_R1_Rle; exact HK).
  eapply Rle_trans; [apply exp_time_obind with (K := K ^ length rest); auto|].
  - intro z. destruct (Nat.eqb z x); [apply IH; intros; apply H; simpl; auto|exact K1].
  - apply Rmult_le_compat_r; [lra|]. apply H. simpl; auto.
Qed.

(** Any matches that are seldom lost, and seldom long, are won within the budget. *)
Lemma certify_complete test h K e B pairs : 0 <= h -> 1 <= K -> 0 <= e ->
  (forall u v, uncut B (test u v) = true) ->
  (forall u v, In (u, v) pairs -> Pr P (test u v) (wrong u) <= e /\ exp_time P h (test u v) <= K) ->
  1 - (INR (length pairs) * e + exp (INR (length pairs) * ln K - INR B * h))
    <= Pr P (within B (certify test pairs)) certified.
Proof.
  intros Hh K1 He U H. rewrite Pr_certified.
  assert (Pr P (within B (certify test pairs)) refused <= INR (length pairs) * e) as Lost.
  { eapply Rle_trans; [apply within_Pr; auto|]. apply certify_refused; auto. intros u v Hin. now apply H. }
  assert (exp (INR B * h) * Pr P (within B (certify test pairs)) ran_out <= K ^ length pairs) as Long.
  { eapply Rle_trans; [now apply within_markov, certify_uncut|]. apply certify_exp_time; auto. intros. now apply H. }
  rewrite <- (exp_ln (K ^ length pairs)), ln_pow in Long by (try apply pow_lt; lra).
  assert (Pr P (within B (certify test pairs)) ran_out <= exp (INR (length pairs) * ln K - INR B * h)); [|lra].
  apply Rmult_le_reg_l with (exp (INR B * h)); [apply exp_pos|]. eapply Rle_trans; [exact Long|].
  rewrite <- exp_plus. right. f_equal. ring.
Qed.
End Long.

(** The exponential of a match's time is at most [K], at its rate of g^2/2. *)
Lemma root_level g d : 0 < g < 1/2 -> 0 < d < 1 ->
  let K := sqrt ((1 + 2 * g) / d) in 1 <= K /\ ln K = ln ((1 + 2 * g) / d) / 2.
Proof.
  intros Hg Hd K. assert (1 <= (1 + 2 * g) / d) as D by (apply Rle_div_r; lra).
  assert (1 <= K) as K1 by (unfold K; rewrite <- sqrt_1 at 1; now apply sqrt_le_1_alt).
  split; [exact K1|]. rewrite <- (sqrt_sqrt ((1 + 2 * g) / d)) by lra. fold K. rewrite ln_mult by lra. field.
Qed.

Theorem certificate_complete : certificate_complete_statement.
Proof.
  intros P g d e stop F B pairs HP Hg Hd He Hr HB H run. pose proof (valid_01 P HP) as P01.
  set (h := g * g / 2). assert (0 <= h) as Hh by (unfold h; nra).
  destruct (root_level g d Hg Hd) as [K1 LK]. split.
  - rewrite <- LK. apply certify_complete; auto; [intros; apply seqtest_uncut; lia|]. intros u v Hin.
    destruct (H u v Hin) as [Huv Hp]. split.
    + eapply Rle_trans; [apply (wrong_loser P P01) with (y := v); [exact Huv|apply seqtest_leaves]|].
      apply (one_sided_loss g); auto. intros n s Hn. apply Hr, Hn.
    + apply one_sided_exp_time; auto. intros n s Hn. apply Hr, Hn.
  - apply (certify_cost _ (ET_additive P P01)); [now apply L_time_nonneg|]. intros u v Hin.
    destruct (H u v Hin) as [_ Hp]. apply one_sided_time; auto; [lra|]. intros n s Hn. apply Hr, Hn.
Qed.
