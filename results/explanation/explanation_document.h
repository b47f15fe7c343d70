#pragma once

#include "results/document/document.h"
#include "results/explanation/explanation.h"

namespace cubicbench::results {

/// An explanation for people: in sentences what bounds the step and what fills memory, the terms,
/// the difference to the other plan where there is one, what would change it, memory part by part,
/// and the roofline.
/// `why`: with the equation of each term, where it is from, and the numbers put in.
Document explanation_document(const Explanation& explanation, bool why);

}  // namespace cubicbench::results
