#include "backend/rpc/wire_text.h"

#include <algorithm>
#include <string>

#include "backend/base/text.h"

namespace yard::rpc {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

bool isAscii(const std::string& text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

void repairField(Message& message, const Reflection& reflection, const FieldDescriptor* field)
{
    std::string scratch;
    if (!field->is_repeated()) {
        const std::string& value = reflection.GetStringReference(message, field, &scratch);
        if (!isAscii(value))
            reflection.SetString(&message, field, text::validUtf8(value));
        return;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
        const std::string& value =
            reflection.GetRepeatedStringReference(message, field, i, &scratch);
        if (!isAscii(value))
            reflection.SetRepeatedString(&message, field, i, text::validUtf8(value));
    }
}

}  // namespace

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
