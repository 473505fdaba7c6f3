// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/glossary.h"

#include <cctype>
#include <string>

namespace vinculum {

namespace {

constexpr GlossaryEntry kGlossary[] = {
    // What a run answers.
    {"idealisation",
     "A property that a rigid-body model assumes: a wheel does not slip, a string is taut, a support is rigid. Vinculum checks "
     "it along the motion.",
     "modelling assumption", "идеализация, допущение модели", "Idealisierung, Modellannahme"},
    {"verdict",
     "The answer whether an idealisation holds: one of five words, with a margin, the time of the first violation and the "
     "reason.",
     "check, assessment", "заключение", "Befund"},
    {"holds", "Verdict: the idealisation holds at every sample and between the samples.", "satisfied", "выполняется", "erfüllt"},
    {"violated",
     "Verdict: the idealisation does not hold from the time given. The motion after that time is that of the model, not of a "
     "real machine.",
     "", "нарушено", "verletzt"},
    {"not unique",
     "Verdict: several motions or reactions satisfy all equations, and rigid bodies do not decide between them. Under dry "
     "friction this is one form of the Painlevé paradox.",
     "Painlevé paradox", "не единственно, парадокс Пенлеве", "nicht eindeutig, Painlevé-Paradoxon"},
    {"impossible", "Verdict: no motion satisfies all equations.", "inconsistent", "невозможно", "unmöglich"},
    {"not checked", "Verdict: the command could not evaluate it; the reason is given.", "", "не проверено", "nicht geprüft"},
    {"margin", "Available value divided by required value. Above 1 the idealisation holds.", "safety factor", "запас",
     "Sicherheit, Reserve"},
    {"term", "The name that textbooks use for what a verdict is about.", "", "термин", "Fachwort"},
    {"event", "An instant at which something changes or a function of the model is zero, located to round-off of t.", "",
     "событие", "Ereignis"},
    {"sample", "A state of a run that is written to the tables, at multiples of --every.", "", "отсчёт", "Stützstelle"},
    // Constraints.
    {"row",
     "One constraint equation, linear in the velocities: a row of the constraint Jacobian. It has a name, such as foot.normal, "
     "and a multiplier.",
     "constraint equation, row of the constraint Jacobian", "уравнение связи", "Bindungsgleichung"},
    {"multiplier", "The force or moment with which a constraint equation acts along its own direction.",
     "constraint force, Lagrange multiplier", "множитель Лагранжа, реакция связи", "Lagrange-Multiplikator, Zwangskraft"},
    {"reaction", "Force and moment that a joint transmits from the parent to the body.", "joint reaction", "реакция шарнира",
     "Gelenkreaktion"},
    {"gap", "Residual of a constraint in position; for a contact the distance from the surface.",
     "constraint residual in position", "зазор, невязка связи", "Abstand, Restfehler"},
    {"residual", "The amount by which a state violates a constraint, in its own unit.", "", "невязка", "Restfehler"},
    {"redundant",
     "A constraint equation that depends on others. The motion is unchanged without it, but the reactions are not determined.",
     "dependent, statically indeterminate", "избыточная связь", "überzählig, statisch unbestimmt"},
    {"velocity constraint", "An equation between velocities: a blade, a rolling wheel, a gear.",
     "nonholonomic constraint, holonomic constraint", "неголономная связь", "nichtholonome Bindung"},
    {"degrees of freedom", "The number of velocities that the constraints leave independent.", "DOF", "степени свободы",
     "Freiheitsgrade"},
    {"body origin", "Origin of the body frame, where its joint ends. Results call its position `poles`.",
     "pole, origin of a body frame", "полюс", "Bezugspunkt"},
    {"twist", "Velocity of a rigid body: angular velocity and velocity of a point.", "velocity screw", "кинематический винт",
     "Bewegungswinder"},
    {"wrench", "Load on a rigid body: force and moment about a point.", "force screw", "силовой винт", "Kraftwinder"},
    {"mode", "Discrete part of a state: sticking or slipping, loaded face, taut or slack.", "discrete state, contact state",
     "режим", "Modus, diskreter Zustand"},
    {"guard", "A function that is positive while a mode is valid; its zero is an event.", "event function", "функция события",
     "Ereignisfunktion"},
    {"assemble", "To move a state onto the constraints by the smallest change: positions first, then velocities.",
     "project, position and velocity initialisation", "сборка, проекция на связи", "Zusammenbau, Projektion auf die Bindungen"},
    {"relative pivot",
     "A pivot of a factorisation divided by its diagonal entry before elimination. It is 1 if nothing is coupled, and 0 if the "
     "matrix is singular.",
     "", "относительный ведущий элемент", "relatives Pivot"},
    // Contacts and friction.
    {"slip", "Relative velocity along a constraint that limited forces keep.", "slip velocity, creep",
     "скольжение, проскальзывание", "Schlupf"},
    {"stick", "A contact without slip: friction suffices to hold it.", "", "сцепление", "Haften"},
    {"grip", "The largest tangential force that a contact can transmit; also the contact so limited.",
     "traction, friction limit, friction-limited contact", "сцепление", "Haftung, Kraftschluss"},
    {"friction demand", "The friction coefficient that a contact would need to stick.", "required friction coefficient",
     "потребный коэффициент трения", "erforderlicher Reibwert"},
    {"realization", "A constraint kept by forces of limited size, instead of by assumption.",
     "constraint kept by forces of limited size", "реализация связи", "Realisierung einer Bindung"},
    {"certificate", "A proof that the slip of a realized constraint stays below a bound over a whole time interval.", "",
     "сертификат", "Zertifikat"},
    {"guide", "A two-sided sliding pair with vanishing clearance: a slider, a drawer.",
     "two-sided guide with friction, prismatic guidance", "направляющая", "Führung"},
    {"loaded face", "The face of a pair that carries the load. Friction depends on it.", "active contact side",
     "нагруженная грань", "tragende Fläche"},
    {"variant", "One choice of loaded faces of all pairs.", "contact mode combination", "вариант контакта", "Kontaktfall"},
    {"jam", "No choice of loaded faces carries the load, however large it is.",
     "jamming, wedging, self-locking", "заклинивание", "Verklemmen, Selbsthemmung"},
    {"Painlevé paradox",
     "Rigid bodies with dry friction can have no motion, or several. The verdicts are `impossible` and `not unique`.", "",
     "парадокс Пенлеве", "Painlevé-Paradoxon"},
    {"restitution", "Ratio of the speeds, impulses or energies after and before an impact.", "coefficient of restitution",
     "коэффициент восстановления", "Stoßzahl"},
    {"taut", "A string at its full length that pulls.", "cable tension", "натянутая нить", "gespanntes Seil"},
    {"slack", "A string whose ends are closer to each other than its length; it has no force.", "cable slackness", "ослабленная нить", "schlaffes Seil"},
    // Subjects of verdicts about the run as a whole.
    {"energy", "Verdict on the numerical error: change of energy minus the work done.", "energy balance", "баланс энергии",
     "Energiebilanz"},
    {"accelerations", "Verdict on the mass matrix: the smallest relative pivot along the motion.",
     "conditioning of the mass matrix", "обусловленность матрицы масс", "Kondition der Massenmatrix"},
    {"reactions", "Verdict on statics: whether all reactions follow from the equations of rigid bodies.", "static determinacy",
     "статическая определимость", "statische Bestimmtheit"},
    {"constraints", "Verdict on the numerical error: the largest residual of the constraints along the motion.",
     "constraint drift", "уход со связей", "Drift der Bindungen"},
    {"position", "Verdict on the configuration: how close it came to one in which constraints depend on each other.",
     "singular configuration, loss of rank", "особое положение", "singuläre Lage"},
    {"integrals", "Verdict on the numerical error: drift of quantities that the model conserves.",
     "conservation laws, first integrals", "первые интегралы", "Erhaltungssätze, erste Integrale"},
    // Analyses.
    {"steady motion", "A motion whose velocities are all constant.", "relative equilibrium", "стационарное движение",
     "stationäre Bewegung"},
    {"linearise", "To replace the equations by linear ones for small deviations from a state.",
     "small oscillations, eigenvalue analysis", "линеаризация", "Linearisierung"},
    {"balance", "To choose masses so that the forces or moments on the ground vanish.", "static and dynamic balancing",
     "уравновешивание", "Massenausgleich, Auswuchten"},
    {"input", "A quantity that a program, a table or a controller sets during a run.", "", "вход", "Eingang"},
    {"state", "All numbers that determine the further motion: time, coordinates, velocities, modes.", "", "состояние", "Zustand"},
    {"study", "One command run at many points of a parameter space, with the results in a store.", "sweep, parameter study",
     "исследование", "Studie"},
    {"checkpoint", "A file from which an interrupted run resumes with the same bits.", "", "контрольная точка",
     "Sicherungspunkt"},
};

// Small letters, a blank for each hyphen or underscore.
std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '-' || c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::span<const GlossaryEntry> glossary() { return kGlossary; }

const GlossaryEntry* find_in_glossary(std::string_view word) {
  const std::string wanted = folded(word);
  if (wanted.empty()) return nullptr;
  for (const GlossaryEntry& entry : kGlossary) {
    if (folded(entry.word) == wanted) return &entry;
  }
  for (const GlossaryEntry& entry : kGlossary) {
    for (std::string_view rest = entry.also; !rest.empty();) {
      const size_t comma = rest.find(", ");
      if (folded(rest.substr(0, comma)) == wanted) return &entry;
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 2);
    }
  }
  return nullptr;
}

}  // namespace vinculum
