import { isObject, type JsonObject, objectOf } from '../json.ts'

/** The schema that the answer has to fit, in the words of OpenAI and Anthropic; nothing if any answer will do. */
export function answerSchema(format: unknown): { answer?: JsonObject } {
  const { type, schema, json_schema } = objectOf(format)
  if (type === 'json_schema') return { answer: objectOf(schema ?? objectOf(json_schema).schema) }
  // llama.cpp takes a schema here as well.
  return type === 'json_object' ? { answer: isObject(schema) ? schema : anyObject } : {}
}

export const anyObject: JsonObject = { type: 'object' }
