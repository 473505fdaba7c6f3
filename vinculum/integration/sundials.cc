// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integration/sundials.h"

#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>
#include <utility>

#include "vinculum/math/polynomial.h"

namespace vinculum {

namespace {

static_assert(std::is_same_v<realtype, double>);
static_assert(CV_TOO_MUCH_ACC == ARK_TOO_MUCH_ACC && CV_ERR_FAILURE == ARK_ERR_FAILURE && CV_ONE_STEP == ARK_ONE_STEP);

constexpr std::size_t kLargestDense = 300;
constexpr double kSameTime = 16 * std::numeric_limits<double>::epsilon();  // of t: a few roundings of t + h

struct Destroy {
  void operator()(N_Vector v) const { N_VDestroy(v); }
  void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, Destroy>;
using Matrix = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, Destroy>;
using LinearSolver = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, Destroy>;

// The two libraries speak the same language in different words.
struct Cvode {
  static constexpr std::string_view kName = "cvode";
  static void* create(CVRhsFn f, double t, N_Vector y, SUNContext context) {
    void* const memory = CVodeCreate(CV_BDF, context);
    CVodeInit(memory, f, t, y);
    return memory;
  }
  static void destroy(void* memory) { CVodeFree(&memory); }
  static constexpr auto set_error_handler = CVodeSetErrHandlerFn;
  static constexpr auto set_user_data = CVodeSetUserData;
  static constexpr auto set_tolerances = CVodeSVtolerances;
  static constexpr auto set_linear_solver = CVodeSetLinearSolver;
  static constexpr auto set_largest_step = CVodeSetMaxStep;
  static constexpr auto set_stop_time = CVodeSetStopTime;
  static constexpr auto evolve = CVode;
  static constexpr auto current_step = CVodeGetCurrentStep;
  static constexpr int kStepsToSee = 4;
  static constexpr auto interpolate = CVodeGetDky;
  static constexpr auto estimate_errors = CVodeGetEstLocalErrors;
  static int order(void* memory) {
    int last = 0;
    CVodeGetLastOrder(memory, &last);
    return last;
  }
  static constexpr auto set_first_step = CVodeSetInitStep;
  static constexpr auto count_error_failures = CVodeGetNumErrTestFails;
  static constexpr auto count_solver_failures = CVodeGetNumStepSolveFails;
};

struct Arkode {
  static constexpr std::string_view kName = "arkode";
  static void* create(ARKRhsFn f, double t, N_Vector y, SUNContext context) {
    void* const memory = ARKStepCreate(nullptr, f, t, y, context);
    ARKStepSetTableNum(memory, ARKODE_KVAERNO_7_4_5, ARKODE_ERK_NONE);
    // By default Newton's method trusts the convergence rate of earlier, smaller steps and stops too soon after the step has
    // grown: errors of 1e4 tolerances on a harmonic oscillator. A new Newton matrix for every step cures it.
    ARKStepSetLSetupFrequency(memory, 1);
    // f of a computed stage from the stage equation: f itself would multiply the stage's error by the stiffness.
    ARKStepSetDeduceImplicitRhs(memory, SUNTRUE);
    // A start beside the slow solution must shorten the step down to the fast transient.
    ARKStepSetMaxErrTestFails(memory, 50);
    return memory;
  }
  static void destroy(void* memory) { ARKStepFree(&memory); }
  static constexpr auto set_error_handler = ARKStepSetErrHandlerFn;
  static constexpr auto set_user_data = ARKStepSetUserData;
  static constexpr auto set_tolerances = ARKStepSVtolerances;
  static constexpr auto set_linear_solver = ARKStepSetLinearSolver;
  static constexpr auto set_largest_step = ARKStepSetMaxStep;
  static constexpr auto set_stop_time = ARKStepSetStopTime;
  static constexpr auto evolve = ARKStepEvolve;
  static constexpr auto current_step = ARKStepGetCurrentStep;
  static constexpr int kStepsToSee = 2;
  static constexpr auto interpolate = ARKStepGetDky;
  static constexpr auto estimate_errors = ARKStepGetEstLocalErrors;
  static int order(void*) { return 3; }  // of its interpolation through values and derivatives of the ends
  static constexpr auto set_first_step = ARKStepSetInitStep;
  static constexpr auto count_error_failures = ARKStepGetNumErrTestFails;
  static constexpr auto count_solver_failures = ARKStepGetNumStepSolveFails;
};

// A solver with the linear algebra it points to.
template <class Method>
struct Solver {
  struct DestroyMemory {
    void operator()(void* m) const { Method::destroy(m); }
  };
  Matrix matrix;
  LinearSolver linear_solver;
  std::unique_ptr<void, DestroyMemory> memory;
};

template <class Method>
class SundialsIntegrator final : public Integrator {
 public:
  std::string_view name() const override { return Method::kName; }
  bool resumable_anywhere() const override { return false; }
  bool accepts_correction() const override { return false; }
  void correct(std::span<const double>) override { assert(false); }
  IntegratorState state() const override { return {t_, y_, 0, {}}; }

  void start(System& system, const IntegratorState& from, const IntegratorOptions& options) override {
    assert(static_cast<int>(from.y.size()) == system.dimension());
    forget_solver();
    system_ = &system;
    options_ = options;
    t_ = from.t;
    y_ = y0_ = from.y;
    present_.reset(N_VMake_Serial(size(), y_.data(), context_));
    previous_.reset(N_VMake_Serial(size(), y0_.data(), context_));
    output_.reset(N_VMake_Serial(size(), y_.data(), context_));
    evaluations_ = 0;
    system.forget_steps();
  }

  Outcome<StepReport> advance(double t_end) override {
    StepReport report{t_, t_end};
    // Without equations nothing moves, and over round-off of t no more than t itself is uncertain.
    if (y_.empty() || std::abs(t_end - t_) <= kSameTime * std::max(std::abs(t_), std::abs(t_end))) {
      if (t_end != t_) forget_solver();
      t_ = t_end;
      return report;
    }

    const double direction = t_end > t_ ? 1 : -1;
    if (direction != direction_) forget_solver();
    direction_ = direction;
    if (!solver_.memory) solver_ = create_solver(present_.get());
    undefined_ = 0;
    y0_ = y_;
    double longest = find_longest(t_end);
    for (;;) {
      void* const solver = solver_.memory.get();
      Method::set_stop_time(solver, longest == t_end - t_ ? t_end : t_ + longest);
      const long rejected = count_rejected();
      const int flag = Method::evolve(solver, t_end, present_.get(), &report.t1, CV_ONE_STEP);
      if (options_.wants_to_stop && flag == CV_RHSFUNC_FAIL && options_.wants_to_stop()) {
        give_up(flag);
        return stopped_at(t_);
      }
      const bool stuck = report.t1 != t_end && std::abs(report.t1 - t_) <= kSameTime * std::abs(t_);
      if (flag < 0 || stuck) return give_up(flag);
      report.rejected += static_cast<int>(count_rejected() - rejected);
      const double safe = find_safe_part(report.t1);
      if (safe >= 1) break;
      // Accepted by the method, but not by the laws: from the same beginning again, without a history.
      ++report.rejected;
      longest = part_to_keep(safe) * (report.t1 - t_);
      std::copy(y0_.begin(), y0_.end(), y_.begin());
      forget_solver();
      solver_ = create_solver(present_.get());
      Method::set_first_step(solver_.memory.get(), longest);
    }

    t0_ = std::exchange(t_, report.t1);
    report.evaluations = std::exchange(evaluations_, 0);
    return report;
  }

  void interpolate(double t, std::span<double> y) const override {
    assert(y.size() == y_.size());
    if (t == t_ || !solver_.memory) {
      std::copy(y_.begin(), y_.end(), y.begin());
    } else if (t == t0_) {
      std::copy(y0_.begin(), y0_.end(), y.begin());
    } else {
      N_VSetArrayPointer(y.data(), output_.get());
      if (!go_again_until(t)) Method::interpolate(solver_.memory.get(), t, 0, output_.get());
    }
  }

 private:
  // A method looks at few places within a step: as many of its steps as see all there is.
  double find_longest(double t_end) const {
    double next = 0;
    Method::current_step(solver_.memory.get(), &next);
    // The step it has in mind is not always the one it takes.
    constexpr double kRoom = 10;
    const double distance = t_end - t_;
    const double far = next == 0 || kRoom * std::abs(next) > std::abs(distance) ? distance : direction_ * kRoom * std::abs(next);
    const double looked = system_->find_step(t_, y_, Method::kStepsToSee * far) / Method::kStepsToSee;
    return std::abs(looked) < std::abs(distance) ? looked : distance;
  }

  // Of the step from (t_, y0_) to (t1, y_): by the derivatives of the method's own polynomial at its end, of which each is taken
  // backwards in time,
  //
  //   y(t1 - x h) = Σ_n y^(n) (-h)^n / n! xⁿ ,  x = 1 - s .
  double find_safe_part(double t1) {
    const std::span<const int> components = system_->checked_components();
    if (components.empty()) return 1;
    void* const solver = solver_.memory.get();
    const int order = std::max(1, Method::order(solver));
    const double h = t1 - t_;
    polynomial_.sees = StepPolynomial::Sees::ends;
    polynomial_.t0 = t_;
    polynomial_.t1 = t1;
    polynomial_.reserve(components, order);
    derivatives_.resize((order + 1) * components.size());
    scratch_.resize(y_.size());
    N_VSetArrayPointer(scratch_.data(), output_.get());
    double factor = 1;
    for (int n = 0; n <= order; factor *= -h / ++n) {
      if (Method::interpolate(solver, t1, n, output_.get()) < 0) return 1;
      for (std::size_t k = 0; k < components.size(); ++k) derivatives_[k * (order + 1) + n] = factor * scratch_[components[k]];
    }
    if (Method::estimate_errors(solver, output_.get()) < 0) std::fill(scratch_.begin(), scratch_.end(), 0.0);
    for (std::size_t k = 0; k < components.size(); ++k) {
      const std::span<double> b = polynomial_.bernstein(k);
      to_bernstein(std::span(derivatives_).subspan(k * (order + 1), order + 1), b);
      std::reverse(b.begin(), b.end());
      // The polynomial is that of the end: what it misses at the beginning it may miss anywhere.
      const int i = components[k];
      polynomial_.radius(k) = 2 * std::abs(scratch_[i]) + std::abs(b[0] - y0_[i]);
    }
    return system_->check_step(polynomial_);
  }

  sunindextype size() const { return static_cast<sunindextype>(y_.size()); }

  Solver<Method> create_solver(N_Vector y) const {
    Solver<Method> solver;
    if (y_.size() <= kLargestDense) {
      solver.matrix.reset(SUNDenseMatrix(size(), size(), context_));
      solver.linear_solver.reset(SUNLinSol_Dense(y, solver.matrix.get(), context_));
    } else {
      solver.linear_solver.reset(SUNLinSol_SPGMR(y, SUN_PREC_NONE, 0, context_));
    }
    void* const memory = Method::create(compute_derivative, t_, y, context_);
    solver.memory.reset(memory);
    void* const self = const_cast<SundialsIntegrator*>(this);
    Method::set_error_handler(memory, remember_message, self);
    Method::set_user_data(memory, self);
    const Vector absolute(N_VNew_Serial(size(), context_));
    for (std::size_t i = 0; i < y_.size(); ++i)
      N_VGetArrayPointer(absolute.get())[i] = options_.absolute_tolerance * options_.scale(i);
    Method::set_tolerances(memory, options_.relative_tolerance, absolute.get());
    Method::set_linear_solver(memory, solver.linear_solver.get(), solver.matrix.get());
    if (std::isfinite(options_.largest_step)) Method::set_largest_step(memory, options_.largest_step);
    return solver;
  }

  // A polynomial through the ends of ARKODE's long steps is far less accurate than they are, and worse where f is stiff. Its
  // continuous solution is therefore the method itself, started again at the last step's start.
  bool go_again_until(double t) const {
    if constexpr (std::is_same_v<Method, Arkode>) {
      if (!again_.memory) again_ = create_solver(previous_.get());
      void* const solver = again_.memory.get();
      double reached = t;
      ARKStepReset(solver, t0_, previous_.get());
      ARKStepSetInitStep(solver, t - t0_);
      ARKStepSetStopTime(solver, t);
      return ARKStepEvolve(solver, t, output_.get(), &reached, ARK_NORMAL) >= 0;
    }
    return false;
  }

  void forget_solver() {
    solver_ = {};
    again_ = {};
  }

  // SUNDIALS answers a positive value by a shorter step.
  static int compute_derivative(double t, N_Vector y, N_Vector dydt, void* user_data) {
    auto& self = *static_cast<SundialsIntegrator*>(user_data);
    ++self.evaluations_;
    if (self.options_.wants_to_stop && self.options_.wants_to_stop()) return -1;
    const std::span<double> derivative(N_VGetArrayPointer(dydt), self.y_.size());
    const bool defined = self.system_->compute_derivative(t, {N_VGetArrayPointer(y), self.y_.size()}, derivative) &&
                         std::all_of(derivative.begin(), derivative.end(), [](double x) { return std::isfinite(x); });
    if (!defined) ++self.undefined_;
    return defined ? 0 : 1;
  }

  static void remember_message(int, const char*, const char*, char* text, void* user_data) {
    static_cast<SundialsIntegrator*>(user_data)->message_ = text;
  }

  long count_rejected() const {
    long error_failures = 0, solver_failures = 0;
    Method::count_error_failures(solver_.memory.get(), &error_failures);
    Method::count_solver_failures(solver_.memory.get(), &solver_failures);
    return error_failures + solver_failures;
  }

  // Leaves the integrator at its last accepted state, without a step to interpolate over.
  Failure give_up(int flag) {
    forget_solver();
    std::copy(y0_.begin(), y0_.end(), y_.begin());
    if (undefined_ > 0) {
      return {"VN-RUN-011", fmt::format("the equations have no finite derivative at or beyond t = {}", t_),
              "look for a root of a negative number, a division by zero or a singular mass matrix there"};
    }
    switch (flag) {
      case CV_SUCCESS:
      case CV_ERR_FAILURE:
        return {"VN-RUN-010", fmt::format("the step of {} became round-off of t at t = {}", name(), t_),
                "the solution may be singular there, or a force may jump"};
      case CV_TOO_MUCH_ACC:
        return {"VN-RUN-012", fmt::format("at t = {} the tolerance of {} is below double precision", t_, name()),
                "relax the tolerance"};
      default:
        return {"VN-RUN-013",
                fmt::format("{} could not solve the implicit equations of a step at t = {}: {}", name(), t_, message_),
                "change the tolerance, or choose another integrator"};
    }
  }

  System* system_ = nullptr;
  IntegratorOptions options_;
  double t0_ = 0, t_ = 0;  // the last step
  std::vector<double> y0_, y_;
  double direction_ = 0;
  long evaluations_ = 0;  // since the last report
  long undefined_ = 0;    // evaluations without a result, in this step
  std::string message_;
  StepPolynomial polynomial_;
  std::vector<double> derivatives_, scratch_;

  // Freed from the last to the first.
  sundials::Context context_;
  Vector present_, previous_;  // views of y_ and y0_
  Vector output_;              // of an interpolation
  Solver<Method> solver_;
  mutable Solver<Method> again_;
};

}  // namespace

std::unique_ptr<Integrator> make_cvode() { return std::make_unique<SundialsIntegrator<Cvode>>(); }
std::unique_ptr<Integrator> make_arkode() { return std::make_unique<SundialsIntegrator<Arkode>>(); }

}  // namespace vinculum
