import { objectOf } from '../json.ts'
import type { Api, StrictRequest } from '../provider.ts'
import { readAnthropic } from '../providers/anthropic/reading.ts'
import { readBedrock } from '../providers/bedrock/reading.ts'
import { readCohereV1 } from '../providers/cohere/reading-v1.ts'
import { readCohereV2 } from '../providers/cohere/reading-v2.ts'
import { readGemini } from '../providers/gemini/reading.ts'
import { readOpenaiChat } from '../providers/openai/reading.ts'
import { readOpenaiResponses } from '../providers/openai-responses/reading.ts'
import type { Reading } from '../reading/reading.ts'
import type { State } from '../server/state.ts'

/** A request as a script reads it, whatever its API. */
export interface Asked {
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
  /** The request insists on a call. */
  mustCall: boolean
  /** The names of the tools that may be called now. */
  callable: string[]
  /** The JSON schema that the answer has to fit, if the request has one. */
  answerSchema: unknown
  /** The first words of the user. */
  firstUser: string | undefined
  /** The latest words of the user. */
  lastUser: string | undefined
  /** The results of the last step. */
  results: Result[]
  /** All results since the user opened the turn. */
  turnResults: Result[]
  /** The names of all calls made so far. */
  calls: string[]
  /** The names of the calls since the user opened the turn. */
  turnCalls: string[]
  body: unknown
}

export interface Result {
  /** Empty where the API has none. */
  id: string
  name?: string
  text: string
}

/** Reads a request for a script. It takes any history: what it cannot read is not there. */
export function ask(request: StrictRequest, state: State): Asked {
  const { api, provider, model, stream, body } = request
  const { tools, mayCall, mustCall = false, only, answer, said } = readers[api](objectOf(body), state)
  const names = tools.map(({ name }) => name)
  return {
    ...{ api, provider, model, stream, body, mayCall, mustCall },
    tools: names,
    callable: mayCall ? names.filter(name => only?.includes(name) ?? true) : [],
    answerSchema: answer,
    schemas: new Map(tools.map(({ name, schema }) => [name, schema])),
    ...follow(said),
  }
}

const readers: Record<Api, (body: { [key: string]: unknown }, state: State) => Reading> = {
  'openai-chat': readOpenaiChat,
  'openai-responses': readOpenaiResponses,
  anthropic: readAnthropic,
  gemini: readGemini,
  bedrock: readBedrock,
  'cohere-v2': readCohereV2,
  'cohere-v1': readCohereV1,
}

/**
 * Walks through what was said. `results` are those since the assistant last said anything. A user who speaks while there
 * are such results does not open a turn: clients add words of their own to results, and the turn goes on. Nor do words
 * between tags: so programs tell the model what no user has said, such as that a background task has ended.
 */
function follow(
  said: Reading['said'],
): Pick<Asked, 'firstUser' | 'lastUser' | 'results' | 'turnResults' | 'calls' | 'turnCalls'> {
  const names = new Map<string, string>()
  const calls: string[] = []
  let firstUser: string | undefined
  let lastUser: string | undefined
  let [results, turnResults]: Result[][] = [[], []]
  let turnCalls: string[] = []
  for (const entry of said) {
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
