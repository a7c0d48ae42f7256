import { isObject, type JsonObject, objectOf, objects, stringOf } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import { type Objection, refuse } from '../../judge/objection.ts'
import type { Wire } from '../../judge/validator.ts'
import { isTooLong } from '../anthropic/judge-limits.ts'
import { type Medium, mediaLimits } from '../anthropic/judge-media.ts'
import { wrapped } from './judge-claude.ts'

/** What the schema refuses in the tools of a request. It tells all of it at once. */
export function toolNames({ body }: Wire): Objection[] {
  const found = objects(objectOf(body?.toolConfig).tools).flatMap(({ toolSpec }, k) => {
    const name = stringOf(objectOf(toolSpec).name)
    if (name === undefined) return []
    const value = `Value '${name}' at 'toolConfig.tools.${k + 1}.member.toolSpec.name' failed to satisfy constraint`
    return [
      ...(name.length > nameMax ? [`${value}: Member must have length less than or equal to ${nameMax}`] : []),
      ...(/^[a-zA-Z0-9_-]+$/.test(name)
        ? []
        : [`${value}: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`]),
    ]
  })
  const count = `${found.length} validation error${found.length === 1 ? '' : 's'} detected`
  return found.length === 0 ? [] : [refuse('br-tool-name', `${count}: ${found.join('; ')}`, 'toolConfig')]
}

const nameMax = 64

/** What a request may have at most. */
export function requestLimits({ messages, body, model }: Wire): Objection[] {
  if (!body) return []
  const media = mediaOf(messages)
  const claude = isModel(models.claude, model) ? claudeLimits(messages, body, media, model) : []
  return [...documents(messages), ...claude]
}

function documents(messages: JsonObject[]): Objection[] {
  const found = messages.flatMap(({ content }) => objects(content).flatMap(({ document }) => objects([document])))
  const names = found.flatMap(({ name }) => stringOf(name) ?? [])
  const silent = messages.findIndex(({ content }) => {
    const blocks = objects(content)
    return blocks.some(({ document }) => isObject(document)) && !blocks.some(({ text }) => typeof text === 'string')
  })
  return [
    ...(found.length > documentsMax ? [refuse('br-document-count', countText, 'messages')] : []),
    ...(new Set(names).size < names.length ? [refuse('br-document-names', namesText, 'messages')] : []),
    ...(silent < 0 ? [] : [refuse('br-document-text', silentText, `messages[${silent}]`)]),
  ]
}

const documentsMax = 5
const countText = `You can't include more than ${documentsMax} documents in a request.`
const namesText = "Messages can't contain duplicate document names."
const silentText = 'A text block must be included when using documents.'

function claudeLimits(
  messages: JsonObject[],
  body: JsonObject,
  media: Medium[],
  model: string | undefined,
): Objection[] {
  const countMax = isModel(models.windowOf200k, model) ? 20 : 600
  const found = mediaLimits(media, countMax, { bytes: 'bytes', maxMB: 5 })
    // What is said of a declared type that is not the true one was not seen here.
    .filter(({ fact }) => fact !== 'an-image-true-type')
    .map(({ fact, message, at }) =>
      refuse(fact === 'an-media-count' ? 'br-media-count' : 'br-image', wrapped(message), at),
    )
  const isLong = isTooLong(messages, [body.system, body.toolConfig], model)
  return [...found, ...(isLong ? [refuse('br-context', 'Input is too long for requested model.', 'messages')] : [])]
}

const mediaOf = (messages: JsonObject[]): Medium[] =>
  messages.flatMap(({ content }, index) =>
    objects(content).flatMap((block, k) => {
      const at = `messages[${index}].content[${k}]`
      const inResult = objects(objectOf(block.toolResult).content)
      const path = `messages.${index}.content.${k}`
      return [
        ...mediumOf(block, at, path),
        ...inResult.flatMap((inner, j) => mediumOf(inner, at, `${path}.tool_result.content.${j}`)),
      ]
    }),
  )

function mediumOf({ image, document }: JsonObject, at: string, path: string): Medium[] {
  const medium = isObject(image) ? image : isObject(document) ? document : undefined
  if (!medium) return []
  const data = stringOf(objectOf(medium.source).bytes)
  return [{ kind: isObject(image) ? 'image' : 'document', at, path, mediaType: undefined, data }]
}
