import { isObject, type JsonObject, objectOf } from '../json.ts'

/** The schema that the answer must match, in the format of OpenAI and Anthropic; undefined if any answer is allowed. */
export function answerSchema(format: unknown): { answer?: JsonObject } {
  const { type, schema, json_schema } = objectOf(format)
  if (type === 'json_schema') return { answer: objectOf(schema ?? objectOf(json_schema).schema) }
  // llama.cpp accepts a schema here as well.
  return type === 'json_object' ? { answer: isObject(schema) ? schema : anyObject } : {}
}

export const anyObject: JsonObject = { type: 'object' }
