// einsum and tensordot: sums of products, operand by operand from the left, each a product of
// matrices.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/small_vector.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/diagonal.h>
#include <eagre/ops/einsum.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/permute.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/squeeze_dims.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/tensordot.h>

namespace eagre::ops {
namespace {

// Letters by their code; a dimension of `...`, counted from the last one, by a negative number.
using Labels = SmallVector<int, 8>;

struct Term {
  TensorBase tensor;
  Labels labels;
};

struct Equation {
  std::vector<std::string> inputs;
  std::string output;
  bool has_output = false;
};

constexpr char kDots = '.';  // `...`, in the text of an equation that was read

bool has(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

int64_t place_of(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) - labels.begin();
}

std::string label_text(int label) {
  return label < 0 ? std::string("'...'") : concat("'", static_cast<char>(label), "'");
}

[[noreturn]] void refuse(std::string_view equation, std::string expected, const std::string& got) {
  raise(ErrorKind::kInvalidArgument, ArgumentProblem{"einsum", "equation", std::move(expected),
                                                     concat(got, " in '", equation, "'")});
}

// --- reading ---

Equation read(std::string_view text) {
  Equation equation;
  equation.inputs.emplace_back();
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    std::string& part = equation.has_output ? equation.output : equation.inputs.back();
    if (c == ' ') continue;
    if (c == ',' && !equation.has_output) {
      equation.inputs.emplace_back();
    } else if (text.substr(i, 2) == "->" && !equation.has_output) {
      equation.has_output = true;
      ++i;
    } else if (text.substr(i, 3) == "..." && part.find(kDots) == std::string::npos) {
      part.push_back(kDots);
      i += 2;
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      part.push_back(c);
    } else {
      refuse(text, "subscripts that are letters, one '...' for each tensor, ',' and one '->'",
             concat("an invalid subscript '", c, "' at position ", i));
    }
  }
  return equation;
}

Labels spelled(const std::string& part, int64_t hidden) {
  Labels labels;
  for (char c : part) {
    if (c != kDots) labels.push_back(c);
    for (auto i = static_cast<int>(c == kDots ? hidden : 0); i > 0; --i) labels.push_back(-i);
  }
  return labels;
}

// How many dimensions `...` stands for.
int64_t hidden_dims(std::string_view text, const std::string& part, const TensorBase& operand) {
  const bool has_dots = part.find(kDots) != std::string::npos;
  const int64_t hidden = operand.dim() - static_cast<int64_t>(part.size() - (has_dots ? 1 : 0));
  if (hidden < 0 || (hidden > 0 && !has_dots)) {
    refuse(text, concat("as many subscripts as the operand of shape ", operand.sizes(), " has"),
           concat(part.size() - (has_dots ? 1 : 0)));
  }
  return hidden;
}

// Without `->`: the dimensions of `...`, then what appears once, in alphabetical order.
Labels usual_output(const std::vector<Term>& terms, int64_t hidden) {
  Labels output;
  for (auto i = static_cast<int>(hidden); i > 0; --i) output.push_back(-i);
  for (int label = 'A'; label <= 'z'; ++label) {
    int64_t count = 0;
    for (const Term& term : terms) {
      count += std::count(term.labels.begin(), term.labels.end(), label);
    }
    if (count == 1) output.push_back(label);
  }
  return output;
}

void check_output(std::string_view text, const Labels& output, const std::vector<Term>& terms) {
  for (int label : output) {
    const bool known = std::any_of(terms.begin(), terms.end(),
                                   [&](const Term& term) { return has(term.labels, label); });
    if (!known) refuse(text, "a result of labels that operands have", label_text(label));
    if (std::count(output.begin(), output.end(), label) > 1) {
      refuse(text, "every label once in the result", concat(label_text(label), " twice"));
    }
  }
}

// --- computing ---

TensorBase permuted(const TensorBase& x, const DimVector& order, CallSite at) {
  return std::is_sorted(order.begin(), order.end()) ? x : permute(x, order, at);
}

TensorBase reshaped(const TensorBase& x, const DimVector& sizes, CallSite at) {
  return x.sizes() == Dims(sizes) ? x : reshape(x, sizes, at);
}

// Of a label that appears twice, the diagonal.
Term with_diagonals(const Term& term, CallSite at) {
  TensorBase x = term.tensor;
  Labels labels = term.labels;
  for (int label : term.labels) {
    while (std::count(labels.begin(), labels.end(), label) > 1) {
      const int64_t first = place_of(labels, label);
      const int64_t second =
          std::find(labels.begin() + first + 1, labels.end(), label) - labels.begin();
      EAGRE_CHECK(x.sizes()[first] == x.sizes()[second], kInvalidArgument, "einsum(): the label ",
                  label_text(label), " is repeated, but sizes ", x.sizes()[first], " and ",
                  x.sizes()[second], " differ");
      x = diagonal(x, 0, first, second, at);
      Labels rest;
      for (int64_t i = 0; i < static_cast<int64_t>(labels.size()); ++i) {
        if (i != first && i != second) rest.push_back(labels[static_cast<size_t>(i)]);
      }
      rest.push_back(label);
      labels = rest;
    }
  }
  return {x, labels};
}

// Sums over what is in neither of two lists. As in PyTorch, sums of integers and bools are int64.
Term summed(const Term& term, const Labels& kept, const Labels& also_kept, CallSite at) {
  Labels rest;
  DimVector gone;
  for (size_t i = 0; i < term.labels.size(); ++i) {
    const int label = term.labels[i];
    if (has(kept, label) || has(also_kept, label)) {
      rest.push_back(label);
    } else {
      gone.push_back(static_cast<int64_t>(i));
    }
  }
  if (gone.empty()) return term;
  return {sum(term.tensor, Dims(gone), false, {}, at), rest};
}

// Drops dimensions of size 1 that broadcast to those of the other operand, and those that are
// summed over: then there is nothing to sum.
Term without_ones(const Term& term, const Term& other, const Labels& kept, CallSite at) {
  Labels rest;
  DimVector ones;
  for (size_t i = 0; i < term.labels.size(); ++i) {
    const int label = term.labels[i];
    const bool spreads = term.tensor.sizes()[i] == 1 && has(other.labels, label) &&
                         other.tensor.sizes()[place_of(other.labels, label)] != 1;
    if (spreads || (term.tensor.sizes()[i] == 1 && !has(kept, label))) {
      ones.push_back(static_cast<int64_t>(i));
    } else {
      rest.push_back(label);
    }
  }
  if (ones.empty()) return term;
  return {squeeze_dims(term.tensor, ones, at), rest};
}

void check_sizes(const Term& left, const Term& right) {
  for (size_t i = 0; i < left.labels.size(); ++i) {
    const int label = left.labels[i];
    if (!has(right.labels, label)) continue;
    const int64_t a = left.tensor.sizes()[i];
    const int64_t b = right.tensor.sizes()[place_of(right.labels, label)];
    EAGRE_CHECK(a == b, kInvalidArgument, "einsum(): the label ", label_text(label), " has sizes ",
                a, " and ", b, ", which do not broadcast");
  }
}

// Which labels of two terms are in both and stay, in both and are summed over, in one alone.
struct Roles {
  Labels batch, inner, left, right;
};

Roles roles_of(const Term& left, const Term& right, const Labels& kept) {
  Roles roles;
  for (int label : left.labels) {
    if (!has(right.labels, label)) {
      roles.left.push_back(label);
    } else {
      (has(kept, label) ? roles.batch : roles.inner).push_back(label);
    }
  }
  for (int label : right.labels) {
    if (!has(left.labels, label)) roles.right.push_back(label);
  }
  return roles;
}

// One tensor with its dimensions in groups, each of which becomes one dimension.
TensorBase grouped(const Term& term, std::initializer_list<const Labels*> groups, CallSite at) {
  DimVector order;
  DimVector sizes;
  for (const Labels* group : groups) {
    int64_t count = 1;
    for (int label : *group) {
      order.push_back(place_of(term.labels, label));
      count *= term.tensor.sizes()[order.back()];
    }
    sizes.push_back(count);
  }
  return reshaped(permuted(term.tensor, order, at), sizes, at);
}

// One tensor with a dimension for each of the labels, of size 1 for those that it does not have.
TensorBase spread(const Term& term, const Labels& labels, CallSite at) {
  DimVector order;
  DimVector sizes;
  for (int label : labels) {
    const bool has_it = has(term.labels, label);
    if (has_it) order.push_back(place_of(term.labels, label));
    sizes.push_back(has_it ? term.tensor.sizes()[order.back()] : 1);
  }
  return reshaped(permuted(term.tensor, order, at), sizes, at);
}

// One term of two: labels of both that are not kept are summed over.
Term product(const Term& first, const Term& second, const Labels& kept, CallSite at) {
  Term x = without_ones(first, second, kept, at);
  Term y = without_ones(second, x, kept, at);
  x = summed(x, kept, y.labels, at);
  y = summed(y, kept, x.labels, at);
  check_sizes(x, y);
  const Roles roles = roles_of(x, y, kept);
  Labels labels;
  DimVector sizes;
  for (const Labels* group : {&roles.batch, &roles.left, &roles.right}) {
    for (int label : *group) {
      const Term& owner = has(x.labels, label) ? x : y;
      labels.push_back(label);
      sizes.push_back(owner.tensor.sizes()[place_of(owner.labels, label)]);
    }
  }
  if (roles.inner.empty()) return {mul(spread(x, labels, at), spread(y, labels, at), at), labels};
  TensorBase a = grouped(x, {&roles.batch, &roles.left, &roles.inner}, at);
  TensorBase b = grouped(y, {&roles.batch, &roles.inner, &roles.right}, at);
  // A sum of narrow integers may meet others that were not summed.
  if (!is_differentiable(a.dtype()) && !is_differentiable(b.dtype()) && a.dtype() != b.dtype()) {
    const DType common = promote_types(a.dtype(), b.dtype());
    a = cast(a, common, at);
    b = cast(b, common, at);
  }
  return {reshaped(matmul(a, b, at), sizes, at), labels};
}

// The labels that a product of the terms before `next` still needs.
Labels needed_later(const std::vector<Term>& terms, size_t next, const Labels& output) {
  Labels needed = output;
  for (size_t i = next; i < terms.size(); ++i) {
    for (int label : terms[i].labels) {
      if (!has(needed, label)) needed.push_back(label);
    }
  }
  return needed;
}

}  // namespace

TensorBase einsum(std::string_view equation, TensorList operands, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(!operands.empty(), kInvalidArgument,
              "einsum(): argument 'operands': must provide at least one operand");
  const Equation parts = read(equation);
  if (parts.inputs.size() != operands.size()) {
    refuse(equation, concat("subscripts for the ", operands.size(), " operands"),
           concat(parts.inputs.size()));
  }
  std::vector<Term> terms;
  int64_t widest = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    operands[i].get("einsum", "operands");
    const int64_t hidden = hidden_dims(equation, parts.inputs[i], operands[i]);
    widest = std::max(widest, hidden);
    terms.push_back({operands[i], spelled(parts.inputs[i], hidden)});
  }
  const Labels output =
      parts.has_output ? spelled(parts.output, widest) : usual_output(terms, widest);
  check_output(equation, output, terms);

  Term result = with_diagonals(terms[0], at);
  for (size_t i = 1; i < terms.size(); ++i) {
    const Term next = with_diagonals(terms[i], at);
    result = product(result, next, needed_later(terms, i + 1, output), at);
  }
  result = summed(result, output, {}, at);
  DimVector order;
  for (int label : output) order.push_back(place_of(result.labels, label));
  return permuted(result.tensor, order, at);
}

namespace {

// The dimensions that are not in a list, and then those of the list, or the other way round.
struct Contracted {
  TensorBase matrix;
  DimVector rest;  // sizes of the others
};

Contracted contracted(const TensorBase& x, const DimVector& dims, bool at_the_end, CallSite at) {
  DimVector order;
  DimVector rest;
  if (!at_the_end) order = dims;
  for (int64_t d = 0; d < x.dim(); ++d) {
    if (std::find(dims.begin(), dims.end(), d) != dims.end()) continue;
    order.push_back(d);
    rest.push_back(x.sizes()[d]);
  }
  if (at_the_end) {
    for (int64_t d : dims) order.push_back(d);
  }
  int64_t outer = 1;
  int64_t inner = 1;
  for (int64_t size : rest) outer *= size;
  for (int64_t d : dims) inner *= x.sizes()[d];
  const DimVector sizes = at_the_end ? DimVector{outer, inner} : DimVector{inner, outer};
  return {reshaped(permuted(x, order, at), sizes, at), rest};
}

DimVector wrapped(const char* argument, Dims dims, int64_t rank) {
  dim_mask("tensordot", argument, dims, rank);
  DimVector result;
  for (int64_t d : dims) result.push_back(wrap_dim("tensordot", argument, d, rank));
  return result;
}

}  // namespace

TensorBase tensordot(const TensorBase& input, const TensorBase& other, Dims dims_input,
                     Dims dims_other, CallSite at) {
  const SiteScope scope(at);
  if (dims_input.size() != dims_other.size()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"tensordot", "dims",
                          "two lists: both dimension lists should have same length",
                          concat(dims_input, " and ", dims_other)});
  }
  const DimVector over_input = wrapped("dims_input", dims_input, input.dim());
  const DimVector over_other = wrapped("dims_other", dims_other, other.dim());
  TensorBase x = input;
  TensorBase y = other;
  for (size_t i = 0; i < over_input.size(); ++i) {
    const int64_t m = x.sizes()[over_input[i]];
    const int64_t n = y.sizes()[over_other[i]];
    if (m == n) continue;
    EAGRE_CHECK(m == 1 || n == 1, kInvalidArgument,
                "tensordot(): contracted dimensions need to match, but dimension ", over_input[i],
                " of 'input' has size ", m, " and dimension ", over_other[i],
                " of 'other' has size ", n);
    // One element times the sum of all.
    TensorBase& longer = m == 1 ? y : x;
    longer = sum(longer, m == 1 ? over_other[i] : over_input[i], true, longer.dtype(), at);
  }
  const Contracted left = contracted(x, over_input, true, at);
  const Contracted right = contracted(y, over_other, false, at);
  DimVector sizes = left.rest;
  for (int64_t size : right.rest) sizes.push_back(size);
  return reshaped(matmul(left.matrix, right.matrix, at), sizes, at);
}

}  // namespace eagre::ops
