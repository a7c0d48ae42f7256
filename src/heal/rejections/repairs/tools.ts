import { isRecord } from '../../../core/conversation.ts'
import { type NameForm, shortHash } from '../../../core/ids.ts'
import { asFields, asList, eachObject, type MutableFields, scalarText } from '../../../core/request/body-draft.ts'
import { declaredTools } from '../../../core/request/declared-tools.ts'
import { resultIn, rewriteParts, textPart } from '../../../core/request/parts.ts'
import { surveyRequest } from '../../../core/request/survey.ts'
import { renameTools } from '../../../core/request/tool-names.ts'
import {
  dropCacheMarks,
  dropCachePoints as dropCachePointsBeyond,
} from '../../../core/rules/request/too-many-cache-marks.ts'
import { dropSpareTools } from '../../../core/rules/request/too-many-tools.ts'
import { replaceReferences } from '../../../core/rules/request/unknown-tool-reference.ts'
import { elementAt } from '../paths.ts'
import type { RequestDraft } from '../request-draft.ts'

/** Renames tools whose names the provider rejects. The form of a name is in the text of the error, or known of the provider. */
export const renameRejectedTools =
  (own: Partial<NameForm> = {}) =>
  (draft: RequestDraft): void => {
    const { pattern = '', limit, text } = draft.rejection
    const length = /\{1, ?(\d+)\}/.exec(pattern)?.[1] ?? /length less than or equal to (\d+)/.exec(text)?.[1]
    const hasDot = /\[[^\]]{0,60}\.[^\]]{0,60}\]/.test(pattern)
    const form: NameForm = {
      pattern: hasDot ? /^[\w.-]+$/ : /^[\w-]+$/,
      lengthMax: limit ?? Number(length ?? 64),
      ...own,
    }
    for (const [fresh, name] of renameTools(draft, form)) draft.renamedTools.set(fresh, name)
  }

/** Replaces references to tools: to the named tool and to others that are not declared, or all. */
export const replaceNamedReferences =
  (which: 'undeclared' | 'all') =>
  (draft: RequestDraft): void => {
    const declared = new Set(declaredTools(draft).map(({ holder }) => holder.name))
    const { tool } = draft.rejection
    const { references } = surveyRequest(draft.history, draft.root)
    replaceReferences(
      draft,
      references.filter(({ part }) => which === 'all' || part.tool_name === tool || !declared.has(part.tool_name)),
    )
  }

/** Removes tools beyond the limit of the provider: those that were never called, the last first. */
export const dropToolsBeyond = (draft: RequestDraft): void => {
  dropSpareTools(draft, draft.rejection.limit ?? 128)
}

/** Removes tools of a type that the provider does not accept. */
export function dropToolType(draft: RequestDraft): void {
  const { type } = draft.rejection
  draft.body.tools = asList(draft.body.tools).filter(tool => {
    if (asFields(tool)?.type !== type) return true
    return !draft.change('lossy', 'tools', `a tool of the type ${type} is left out`, () => {})
  })
}

/** Splits a step with more calls than a message may have into several, each with its results. */
export function splitSteps(draft: RequestDraft): void {
  const limit = Math.max(1, draft.rejection.limit ?? 128)
  const after: unknown[] = []
  const list = draft.history
  for (let index = 0; index < list.length; index++) {
    const message = asFields(list[index])
    const calls = asList(message?.tool_calls)
    if (!message || calls.length <= limit) {
      after.push(list[index])
      continue
    }
    const at = `${draft.root}[${index}]`
    const results: unknown[] = []
    while (asFields(list[index + 1])?.role === 'tool') results.push(list[++index])
    const isAllowed = draft.change(
      'lossless',
      at,
      `a step of ${calls.length} calls becomes several of at most ${limit}`,
      () => {},
    )
    if (!isAllowed) {
      after.push(message)
      for (const result of results) after.push(result)
      continue
    }
    const resultsById = new Map<unknown, unknown[]>()
    for (const result of results) {
      const id = asFields(result)?.tool_call_id
      const same = resultsById.get(id)
      if (same) same.push(result)
      else resultsById.set(id, [result])
    }
    for (let from = 0; from < calls.length; from += limit) {
      const some = calls.slice(from, from + limit)
      after.push({ ...message, ...(from > 0 && { content: null }), tool_calls: some })
      for (const call of some) {
        const id = asFields(call)?.id
        for (const result of resultsById.get(id) ?? []) after.push(result)
        resultsById.delete(id)
      }
    }
    for (const left of resultsById.values()) for (const result of left) after.push(result)
  }
  draft.history = after
}

const idMin = 9

/** Shortens ids of calls that are too long, in the calls and their results. */
export function shortenIds(draft: RequestDraft): void {
  const { limit = 40 } = draft.rejection
  // Shorter ids could be equal by chance; no provider requires them.
  if (limit < idMin) return
  const names = new Map<string, string>()
  const shorten = (holder: MutableFields, key: string): void => {
    const id = holder[key]
    if (typeof id !== 'string' || id.length <= limit) return
    const fresh = names.get(id) ?? `${id.slice(0, Math.max(0, limit - 12))}_${shortHash(id)}`.slice(-limit)
    if (
      !names.has(id) &&
      !draft.change('lossless', draft.root, `the call id ${id.slice(0, 20)}… becomes ${fresh}`, () =>
        names.set(id, fresh),
      )
    )
      return
    holder[key] = fresh
  }
  eachObject(draft.history, fields => {
    for (const call of asList(fields.tool_calls)) if (isRecord(call)) shorten(call as MutableFields, 'id')
    for (const key of ['tool_call_id', 'tool_use_id', 'call_id', 'toolUseId']) shorten(fields, key)
    if (fields.type === 'tool_use') shorten(fields, 'id')
  })
}

/** Removes ids of items that are too long: the provider assigns others. */
export function dropLongIds(draft: RequestDraft): void {
  const { limit = 64 } = draft.rejection
  draft.history.forEach((item, index) => {
    const fields = asFields(item)
    if (typeof fields?.id !== 'string' || fields.id.length <= limit || fields.type === 'item_reference') return
    draft.change('lossless', `${draft.root}[${index}].id`, 'an id that is too long is removed', () => delete fields.id)
  })
}

/** Results of a search that the provider itself ran and no longer recognises: the call and the result become one text. */
export function replaceServerTools(draft: RequestDraft): void {
  const results = new Map<unknown, MutableFields>()
  const isResult = (part: MutableFields): boolean =>
    /_tool_result$/.test(scalarText(part.type)) && part.type !== 'tool_result'
  rewriteParts(draft, part => {
    if (isResult(part)) results.set(part.tool_use_id, part)
    return part
  })
  const named = elementAt(draft.body, draft.rejection.paths[0] ?? [])
  const isSealed = (part: MutableFields): boolean => JSON.stringify(part).includes('"encrypted_')
  rewriteParts(draft, (part, { at, role }) => {
    const result = part.type === 'server_tool_use' ? results.get(part.id) : undefined
    if (result && (isSealed(result) || result === named)) {
      const isDone = draft.change('lossy', at, 'a search of the provider and its results become a text', () => {})
      return isDone ? textPart(draft, searchText(part, result), role, false) : part
    }
    if (isResult(part) && (isSealed(part) || part === named)) return draft.allows('lossy') ? undefined : part
    if (isSealed(part) && Array.isArray(part.citations))
      draft.change(
        'lossy',
        at,
        'citations of results that the provider does not recognise are removed',
        () => delete part.citations,
      )
    return part
  })
}

/**
 * The text is in an assistant message, so it has no text that a web page could have chosen, such as titles, and only plain addresses,
 * without spaces and quotes.
 */
function searchText(call: MutableFields, result: MutableFields): string {
  const query = asFields(call.input)?.query
  const urls = asList(result.content)
    .map(hit => asFields(hit)?.url)
    .filter(url => typeof url === 'string' && /^https?:\/\/[\w.:-]{1,200}(\/[\w./~%-]{0,300})?$/.test(url))
  return [
    `[${scalarText(call.name)}${typeof query === 'string' ? `: ${query}` : ''}]`,
    ...urls.map(url => `- ${url}`),
  ].join('\n')
}

/** Removes cache marks beyond the limit: those in messages, the oldest first. */
export function dropSpareCacheMarks(draft: RequestDraft): void {
  const { limit = 4 } = draft.rejection
  if (draft.format === 'bedrock') dropCachePointsBeyond(draft, limit)
  else dropCacheMarks(draft, limit, surveyRequest(draft.history, draft.root).marks)
}

/** Removes all cache points, if the named block is one: the model has no cache. */
export function dropCachePoints(draft: RequestDraft): void {
  const named = draft.rejection.paths.map(path => elementAt(draft.body, path))
  if (named.some(part => part && 'cachePoint' in part)) dropAllCachePoints(draft)
}

/** Removes cache points in messages: none may follow reasoning. */
export const dropMessageCachePoints = (draft: RequestDraft): void => {
  rewriteParts(draft, (part, { at }) => {
    if (!('cachePoint' in part) || resultIn(part)) return part
    return draft.change('lossless', at, 'a cache point, which may not be there, is removed', () => {})
      ? undefined
      : part
  })
}

/** Removes the lifetimes of cache marks: a mark with a longer lifetime may not follow one with a shorter. */
export function dropCacheTimes(draft: RequestDraft): void {
  eachObject(draft.body, (fields, path) => {
    const mark = asFields(fields.cache_control)
    if (mark && mark.ttl !== undefined)
      draft.change(
        'lossless',
        path.join('.'),
        'the lifetime of a cache mark is removed, so that all marks have the same',
        () => delete mark.ttl,
      )
  })
}

export function dropAllCachePoints(draft: RequestDraft): void {
  rewriteParts(draft, (part, { at }) => {
    if (!('cachePoint' in part) || resultIn(part)) return part
    return draft.change('lossless', at, 'a cache point, which the model does not accept, is removed', () => {})
      ? undefined
      : part
  })
  for (const holder of [draft.body, asFields(draft.body.toolConfig)]) {
    for (const key of ['system', 'tools']) {
      const list = holder?.[key]
      if (holder && Array.isArray(list) && list.some(part => isRecord(part) && 'cachePoint' in part))
        draft.change('lossless', key, 'a cache point, which the model does not accept, is removed', () => {
          holder[key] = list.filter(part => !(isRecord(part) && 'cachePoint' in part))
        })
    }
  }
}
