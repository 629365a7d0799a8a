#include "backend/rpc/wire_text.h"

#include <algorithm>
#include <vector>

namespace yard::rpc {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Length of the character at the front of `text`, 0 if there is none.
size_t characterLength(std::string_view text)
{
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return 1;
    const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length)
        return 0;
    for (size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return 0;
    }
    // Overlong forms, surrogates, beyond the last plane.
    const unsigned char second = byte(1);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
        return 0;
    return length;
}

void repairField(Message& message, const Reflection& reflection, const FieldDescriptor* field)
{
    std::string scratch;
    if (!field->is_repeated()) {
        const std::string& text = reflection.GetStringReference(message, field, &scratch);
        if (!isUtf8(text))
            reflection.SetString(&message, field, repairedUtf8(text));
        return;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
        const std::string& text =
            reflection.GetRepeatedStringReference(message, field, i, &scratch);
        if (!isUtf8(text))
            reflection.SetRepeatedString(&message, field, i, repairedUtf8(text));
    }
}

}  // namespace

bool isUtf8(std::string_view text)
{
    if (std::all_of(text.begin(), text.end(),
                    [](char c) { return static_cast<signed char>(c) >= 0; }))
        return true;
    while (!text.empty()) {
        const size_t length = characterLength(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string repairedUtf8(std::string_view text)
{
    std::string repaired;
    while (!text.empty()) {
        const size_t length = characterLength(text);
        if (length == 0)
            repaired += "\uFFFD";
        else
            repaired += text.substr(0, length);
        text.remove_prefix(std::max<size_t>(length, 1));
    }
    return repaired;
}

void repairStrings(Message& message)
{
    const Reflection& reflection = *message.GetReflection();
    const auto* descriptor = message.GetDescriptor();
    for (int i = 0; i < descriptor->field_count(); ++i) {
        const FieldDescriptor* field = descriptor->field(i);
        if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
            repairField(message, reflection, field);
        } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
            if (!field->is_repeated() && reflection.HasField(message, field))
                repairStrings(*reflection.MutableMessage(&message, field));
            for (int k = 0; field->is_repeated() && k < reflection.FieldSize(message, field); ++k)
                repairStrings(*reflection.MutableRepeatedMessage(&message, field, k));
        }
    }
}

}  // namespace yard::rpc
