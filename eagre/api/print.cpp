// Printing of tensors. NumberFormat decides from all shown numbers how each of them is written, so
// that columns align; Printer walks the dimensions.
#include <eagre/api/print.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/transform_meta.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/tape/view_history.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/base/error.h>
#include <eagre/base/flags.h>
#include <eagre/core/complex.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/transfer.h>

namespace eagre {
namespace {

// The flags as they are when printing begins.
struct Style {
  int64_t threshold = flags().print_threshold;
  int64_t edge_items = flags().print_edge_items;
  size_t line_width = static_cast<size_t>(flags().print_line_width.load());
  int precision = static_cast<int>(flags().print_precision);
  size_t scientific = flags().print_scientific.index();
};
constexpr size_t kNeverScientific = 1, kAlwaysScientific = 2;  // of kPrintScientificNames

std::string format_double(const char* format, int precision, double value) {
  if (std::isnan(value)) return "nan";  // never "-nan"
  char text[400];                       // the largest double has 309 digits
  const int length = std::snprintf(text, sizeof text, format, precision, value);
  return {text, static_cast<size_t>(length)};
}

class NumberFormat {
 public:
  NumberFormat(DType dtype, const Style& style)
      : style_(style), floating_(is_differentiable(dtype)) {}

  // First every number that will be shown …
  void survey(double value) {
    if (!std::isfinite(value) || value == 0) return;
    smallest_ = std::min(smallest_, std::abs(value));
    largest_ = std::max(largest_, std::abs(value));
    whole_ &= value == std::ceil(value);
  }
  void choose() {
    if (largest_ == 0) return;  // no number to judge by
    scientific_ = style_.scientific == kAlwaysScientific ||
                  (style_.scientific != kNeverScientific &&
                   (largest_ / smallest_ > 1000.0 || largest_ > 1.0e8 || smallest_ < 1.0e-4));
  }
  // … then again for the width; zeros and what is not finite do not widen a column.
  void measure(double value) {
    if (std::isfinite(value) && value != 0) width_ = std::max(width_, text(value).size());
  }
  void measure(const std::string& exact) { width_ = std::max(width_, exact.size()); }

  std::string text(double value) const {
    if (scientific_) return format_double("%.*e", style_.precision, value);
    if (!whole_) return format_double("%.*f", style_.precision, value);
    return format_double("%.*f", 0, value).append(std::isfinite(value) ? "." : "");
  }
  std::string padded(const std::string& number) const {
    return std::string(width_ - std::min(width_, number.size()), ' ').append(number);
  }
  bool floating() const { return floating_; }
  size_t width() const { return width_; }

 private:
  const Style& style_;
  bool floating_;
  bool whole_ = true;
  bool scientific_ = false;
  double smallest_ = std::numeric_limits<double>::infinity();
  double largest_ = 0;
  size_t width_ = 1;
};

class Printer {
 public:
  Printer(const TensorImpl& tensor, const Style& style)
      : tensor_(tensor),
        style_(style),
        shortened_(tensor.numel > style.threshold),
        complex_(is_complex(tensor.key.dtype)),
        format_(tensor.key.dtype, style),
        imaginary_(tensor.key.dtype, style) {}

  // `indent`: how far to the right the text begins.
  std::string contents(size_t indent) {
    if (tensor_.numel == 0) return "[]";
    if (format_.floating()) {
      prepare(format_, [&](int64_t place) { return floating(place); });
    } else {
      for_each_printed(0, 0, [&](int64_t place) { format_.measure(exact(place)); });
    }
    if (complex_) prepare(imaginary_, [&](int64_t place) { return imaginary(place); });
    print(0, 0, indent);
    return std::move(out_);
  }

 private:
  template <class Part>
  void prepare(NumberFormat& format, const Part& part) const {
    for_each_printed(0, 0, [&](int64_t place) { format.survey(part(place)); });
    format.choose();
    for_each_printed(0, 0, [&](int64_t place) { format.measure(part(place)); });
  }

  int64_t rank() const { return tensor_.key.rank; }
  size_t element_width() const { return format_.width() + (complex_ ? imaginary_.width() + 1 : 0); }
  bool leaves_out(int64_t size) const { return shortened_ && size > 2 * style_.edge_items; }

  const void* element(int64_t place) const {
    const auto size = static_cast<int64_t>(element_size(tensor_.key.dtype));
    return static_cast<const char*>(tensor_.data()) + place * size;
  }
  double floating(int64_t place) const {
    return Scalar::load(tensor_.key.dtype, element(place)).wrapped<double>();
  }
  double imaginary(int64_t place) const {
    return Scalar::load(tensor_.key.dtype, element(place)).wrapped<Complex<double>>().imag;
  }
  std::string exact(int64_t place) const {
    const void* data = element(place);
    if (tensor_.key.dtype == kUInt64) return std::to_string(*static_cast<const uint64_t*>(data));
    const Scalar value = Scalar::load(tensor_.key.dtype, data);
    if (value.category() == DTypeCategory::kBool) return value.wrapped<bool>() ? "True" : "False";
    return std::to_string(value.wrapped<int64_t>());
  }
  // The parts are aligned each for itself, but blanks between them are dropped.
  std::string complex_number(int64_t place) const {
    const std::string number = imaginary_.text(imaginary(place));
    const char* plus = number[0] == '-' ? "" : "+";
    return format_.padded(format_.text(floating(place))).append(plus).append(number).append("j");
  }
  std::string number(int64_t place) const {
    if (complex_) return complex_number(place);
    return format_.padded(format_.floating() ? format_.text(floating(place)) : exact(place));
  }

  // The indices of one dimension that are shown; `gap` is called where some are left out.
  template <class F, class Gap>
  void each_index(int64_t dim, F&& f, Gap&& gap) const {
    const int64_t size = tensor_.sizes()[dim];
    for (int64_t i = 0; i < size; ++i) {
      if (i == style_.edge_items && leaves_out(size)) {
        gap();
        i = size - style_.edge_items;
      }
      f(i * tensor_.strides()[dim]);
    }
  }

  template <class F>
  void for_each_printed(int64_t dim, int64_t place, const F& f) const {
    if (dim == rank()) return f(place);
    each_index(
        dim, [&](int64_t step) { for_each_printed(dim + 1, place + step, f); }, [] {});
  }

  void print(int64_t dim, int64_t place, size_t indent) {
    if (dim == rank()) {
      out_.append(number(place));
    } else if (dim == rank() - 1) {
      print_vector(dim, place, indent);
    } else {
      const std::string separator =
          "," + std::string(rank() - dim - 1, '\n') + std::string(indent + 1, ' ');
      out_.push_back('[');
      const size_t start = out_.size();
      const auto separate = [&] {
        if (out_.size() != start) out_.append(separator);
      };
      each_index(
          dim,
          [&](int64_t step) {
            separate();
            print(dim + 1, place + step, indent + 1);
          },
          [&] {
            separate();
            out_.append("...");
          });
      out_.push_back(']');
    }
  }

  void print_vector(int64_t dim, int64_t place, size_t indent) {
    const size_t room = style_.line_width > indent ? style_.line_width - indent : 0;
    const size_t per_line = std::max<size_t>(1, room / (element_width() + 2));
    size_t count = 0;
    const auto separate = [&] {
      if (count != 0)
        out_.append(count % per_line != 0 ? ", " : ",\n" + std::string(indent + 1, ' '));
      ++count;
    };
    out_.push_back('[');
    each_index(
        dim,
        [&](int64_t step) {
          separate();
          out_.append(number(place + step));
        },
        [&] {
          separate();
          out_.append(" ...");
        });
    out_.push_back(']');
  }

  const TensorImpl& tensor_;
  const Style& style_;
  bool shortened_;
  bool complex_;
  NumberFormat format_;
  NumberFormat imaginary_;  // of complex numbers; format_ is of their real parts
  std::string out_;
};

// What follows the numbers: ", dtype=eagre.float64", on a new line when the last one is full.
class Suffixes {
 public:
  Suffixes(std::string text, size_t indent, size_t line_width)
      : text_(std::move(text)),
        indent_(indent),
        line_width_(line_width),
        column_(last_line_length()) {}

  void add(const std::string& suffix) {
    if (column_ + suffix.size() + 2 > line_width_) {
      text_.append(",\n").append(indent_, ' ').append(suffix);
      column_ = indent_ + suffix.size();
    } else {
      text_.append(", ").append(suffix);
      column_ += suffix.size() + 2;
    }
  }
  std::string finish() { return text_.append(")"); }

 private:
  // Two more than its characters: so PyTorch counts, and lines must break where its do.
  size_t last_line_length() const {
    const size_t newline = text_.rfind('\n');
    return text_.size() + 2 - (newline == std::string::npos ? 0 : newline + 1);
  }

  std::string text_;
  size_t indent_;
  size_t line_width_;
  size_t column_;
};

std::string size_tuple(Dims sizes) {
  std::string text = to_string(sizes);
  return "(" + text.substr(1, text.size() - 2) + (sizes.size() == 1 ? ",)" : ")");
}

// A view that was made without recording has no valid history once its base was written.
std::string history_name(const TensorBase& tensor) {
  try {
    return autograd::history_of(tensor)->name();
  } catch (const Error&) {
    return "Invalid";
  }
}

TensorBase innermost_tangent(const TensorBase& tensor) {
  for (autograd::Level* level = autograd::innermost_level(); level != nullptr;
       level = level->outer()) {
    if (level->is_dual()) return autograd::tangent_of(tensor, *level);
  }
  return {};
}

}  // namespace

std::string to_string(const TensorBase& tensor) {
  if (!tensor.defined()) return "tensor(undefined)";
  if (const autograd::TransformMeta* meta = autograd::transform_meta_of(tensor.get());
      meta != nullptr && meta->batch_level) {
    return concat("BatchedTensor(lvl=", meta->batch_level->id(), ", bdim=", meta->batch_dim,
                  ", value=\n    ", to_string(meta->batch), "\n)");
  }
  const Style style;
  constexpr std::string_view kPrefix = "tensor(";
  const bool no_data = tensor.device().is_meta();
  const TensorBase here = no_data ? tensor : dispatch::on_device(tensor, Device());
  const std::string contents =
      no_data ? std::string("...") : Printer(here.get(), style).contents(kPrefix.size());
  Suffixes text(std::string(kPrefix) + contents, kPrefix.size(), style.line_width);
  const DType dtype = tensor.dtype();
  const bool empty = tensor.numel() == 0;
  if (!tensor.device().is_cpu()) text.add(concat("device='", tensor.device(), "'"));
  if (no_data || (empty && tensor.dim() != 1)) text.add("size=" + size_tuple(tensor.sizes()));
  // int64 and bool can be told from the numbers, if there are any.
  const bool is_obvious =
      dtype == default_dtype() ||
      (!empty && !no_data &&
       (dtype == kInt64 || dtype == kBool || dtype == complex_dtype(default_dtype())));
  if (!is_obvious) text.add(concat("dtype=eagre.", dtype));
  if (!tensor.is_leaf()) {
    text.add(concat("grad_fn=<", history_name(tensor), ">"));
  } else if (tensor.requires_grad()) {
    text.add("requires_grad=True");
  }
  if (const TensorBase tangent = innermost_tangent(tensor); tangent.defined()) {
    text.add("tangent=" + to_string(tangent));
  }
  return text.finish();
}

std::ostream& operator<<(std::ostream& out, const TensorBase& tensor) {
  return out << to_string(tensor);
}
std::ostream& operator<<(std::ostream& out, Dims sizes) { return out << to_string(sizes); }
std::ostream& operator<<(std::ostream& out, DType dtype) { return out << to_string(dtype); }
std::ostream& operator<<(std::ostream& out, Device device) { return out << to_string(device); }

}  // namespace eagre
