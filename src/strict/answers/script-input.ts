import { objectOf } from '../json.ts'
import type { Api, StrictRequest } from '../provider.ts'
import { summarizeAnthropic } from '../providers/anthropic/reading.ts'
import { summarizeBedrock } from '../providers/bedrock/reading.ts'
import { summarizeCohereV1 } from '../providers/cohere/reading-v1.ts'
import { summarizeCohereV2 } from '../providers/cohere/reading-v2.ts'
import { summarizeGemini } from '../providers/gemini/reading.ts'
import { summarizeInteractions } from '../providers/gemini-interactions/reading.ts'
import { summarizeOllama } from '../providers/ollama/reading.ts'
import { summarizeOpenaiChat } from '../providers/openai/reading.ts'
import { summarizeOpenaiResponses } from '../providers/openai-responses/reading.ts'
import type { RequestSummary } from '../reading/request-summary.ts'
import type { ServerState } from '../server/state.ts'

/** A request as a script receives it, in the same form for every API. */
export interface ScriptInput {
  api: Api
  provider: string
  model: string
  stream: boolean
  /** The names of the tools that the client runs. */
  tools: string[]
  /** The JSON schemas of their inputs, by name. */
  schemas: ReadonlyMap<string, unknown>
  /** False if the request forbids calls. */
  mayCall: boolean
  /** The request requires a call. */
  mustCall: boolean
  /** The names of the tools that may be called now. */
  callable: string[]
  /** The JSON schema that the answer must match, if the request has one. */
  answerSchema: unknown
  /** The first text of the user. */
  firstUser: string | undefined
  /** The latest text of the user. */
  lastUser: string | undefined
  /** The results of the last step. */
  results: ScriptToolResult[]
  /** All results since the user opened the turn. */
  turnResults: ScriptToolResult[]
  /** The names of all calls made so far. */
  calls: string[]
  /** The names of the calls since the user opened the turn. */
  turnCalls: string[]
  body: unknown
}

export interface ScriptToolResult {
  /** Empty if the API has no call ids. */
  id: string
  name?: string
  text: string
}

/** Reads a request for a script. Accepts any history: what cannot be read is ignored. */
export function scriptInput(request: StrictRequest, state: ServerState): ScriptInput {
  const { api, provider, model, stream, body } = request
  const { tools, mayCall, mustCall = false, only, answer, history } = readers[api](objectOf(body), state)
  const names = tools.map(({ name }) => name)
  return {
    ...{ api, provider, model, stream, body, mayCall, mustCall },
    tools: names,
    callable: mayCall ? names.filter(name => only?.includes(name) ?? true) : [],
    answerSchema: answer,
    schemas: new Map(tools.map(({ name, schema }) => [name, schema])),
    ...follow(history),
  }
}

const readers: Record<Api, (body: { [key: string]: unknown }, state: ServerState) => RequestSummary> = {
  'openai-chat': summarizeOpenaiChat,
  'openai-responses': summarizeOpenaiResponses,
  anthropic: summarizeAnthropic,
  gemini: summarizeGemini,
  bedrock: summarizeBedrock,
  'cohere-v2': summarizeCohereV2,
  'cohere-v1': summarizeCohereV1,
  ollama: summarizeOllama,
  'gemini-interactions': summarizeInteractions,
}

/**
 * Walks through the history. `results` are those since the last assistant message. User text after such results does not open
 * a turn: clients add their own text to results, and the turn continues. Text between tags does not open one either: programs
 * use it to notify the model, for example that a background task has ended.
 */
function follow(
  history: RequestSummary['history'],
): Pick<ScriptInput, 'firstUser' | 'lastUser' | 'results' | 'turnResults' | 'calls' | 'turnCalls'> {
  const names = new Map<string, string>()
  const calls: string[] = []
  let firstUser: string | undefined
  let lastUser: string | undefined
  let results: ScriptToolResult[] = []
  let turnResults: ScriptToolResult[] = []
  let turnCalls: string[] = []
  for (const entry of history) {
    if (entry.by === 'user') {
      firstUser ??= entry.text
      lastUser = entry.text
      if (results.length === 0 && !isTagged(entry.text)) [turnResults, turnCalls] = [[], []]
    } else if (entry.by === 'tool') {
      const name = entry.name ?? names.get(entry.id)
      const result = { id: entry.id, text: entry.text, ...(name !== undefined && { name }) }
      results.push(result)
      turnResults.push(result)
    } else {
      results = []
      if (entry.by !== 'call') continue
      names.set(entry.id, entry.name)
      calls.push(entry.name)
      turnCalls.push(entry.name)
    }
  }
  return { firstUser, lastUser, results, turnResults, calls, turnCalls }
}

const isTagged = (text: string): boolean => /^\s*<[a-z_-]+>/i.test(text) && text.trimEnd().endsWith('>')
