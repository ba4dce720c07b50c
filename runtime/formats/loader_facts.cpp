#include "runtime/formats/loader_facts.h"

#include "generator/text/computed_facts.h"

namespace alphasparse {

const char* LoaderFacts::text(const Expression& entry) {
  return texts_.emplace_back(fact_text(entry)).c_str();
}

const char* LoaderFacts::name(const std::string& text) { return texts_.emplace_back(text).c_str(); }

LoaderFacts::LoaderFacts(const Kernel& kernel, const host::Header& header)
    : header_(header), computed_(header_) {
  for (const Array& array : kernel.arrays) {
    arrays_.push_back({array.name.c_str(), element_safetensors_name(array.type), array.count,
                       array.least, array.most, array.ascending, array.is_dictionary(),
                       array.rounded});
  }
  const Rules rules = rules_to_check(kernel);
  for (const EntryRule& rule : rules.entries) {
    computed_.computed.push_back(
        {name(rule.name), text(rule.entry), rule.count, rule.least, rule.most, false});
  }
  for (const SpanRule& rule : rules.spans) {
    spans_.push_back({name(rule.name), text(rule.first), text(rule.base), text(rule.entry),
                      rule.parents, rule.least, rule.most});
  }
  for (const BitRule& rule : rules.bits) {
    set_bits_.push_back({name(rule.name), name(rule.words), text(rule.base), rule.items, rule.bits,
                         rule.period, rule.least, rule.most});
  }
  facts_ = {kernel.design.c_str(),
            dtype_name(kernel.dtype),
            kernel.rows,
            kernel.cols,
            kernel.nnz,
            kernel.mirrored,
            header_.text("pattern").c_str(),
            header_.text("values").c_str(),
            header_.text("generator").c_str(),
            header_.text("prefix").c_str(),
            arrays_.data(),
            arrays_.size(),
            nullptr,
            0,
            computed_.computed.data(),
            computed_.computed.size(),
            computed_.steps.data(),
            computed_.steps.size(),
            spans_.data(),
            spans_.size(),
            set_bits_.data(),
            set_bits_.size()};
}

}  // namespace alphasparse
