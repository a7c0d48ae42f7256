import { isObject, type JsonObject, objectOf, objects, stringOf } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'
import { isTooLong } from '../anthropic/judge-limits.ts'
import { type MediaBlock, mediaLimits } from '../anthropic/judge-media.ts'
import { wrappedText } from './judge-claude.ts'

/** What the schema rejects in the tools of a request. It reports all errors at once. */
export function toolNames({ body }: RawRequest): RejectionReason[] {
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
  return found.length === 0 ? [] : [reject('br-tool-name', `${count}: ${found.join('; ')}`, 'toolConfig')]
}

const nameMax = 64

/** The limits of a request. */
export function requestLimits({ messages, body, model }: RawRequest): RejectionReason[] {
  if (!body) return []
  const media = mediaOf(messages)
  const claude = isModel(models.claude, model) ? claudeLimits(messages, body, media, model) : []
  return [...documents(messages), ...claude]
}

function documents(messages: JsonObject[]): RejectionReason[] {
  const found = messages.flatMap(({ content }) => objects(content).flatMap(({ document }) => objects([document])))
  const names = found.flatMap(({ name }) => stringOf(name) ?? [])
  const silent = messages.findIndex(({ content }) => {
    const blocks = objects(content)
    return blocks.some(({ document }) => isObject(document)) && !blocks.some(({ text }) => typeof text === 'string')
  })
  return [
    ...(found.length > documentsMax ? [reject('br-document-count', countText, 'messages')] : []),
    ...(new Set(names).size < names.length ? [reject('br-document-names', namesText, 'messages')] : []),
    ...(silent < 0 ? [] : [reject('br-document-text', silentText, `messages[${silent}]`)]),
  ]
}

const documentsMax = 5
const countText = `You can't include more than ${documentsMax} documents in a request.`
const namesText = "Messages can't contain duplicate document names."
const silentText = 'A text block must be included when using documents.'

function claudeLimits(
  messages: JsonObject[],
  body: JsonObject,
  media: MediaBlock[],
  model: string | undefined,
): RejectionReason[] {
  const countMax = isModel(models.windowOf200k, model) ? 20 : 600
  const found = mediaLimits(media, countMax, { bytes: 'bytes', maxMB: 5 })
    // The message for a wrong media type was not seen here.
    .filter(({ fact }) => fact !== 'an-image-true-type')
    .map(({ fact, message, at }) =>
      reject(fact === 'an-media-count' ? 'br-media-count' : 'br-image', wrappedText(message), at),
    )
  const isLong = isTooLong(messages, [body.system, body.toolConfig], model)
  return [...found, ...(isLong ? [reject('br-context', 'Input is too long for requested model.', 'messages')] : [])]
}

const mediaOf = (messages: JsonObject[]): MediaBlock[] =>
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

function mediumOf({ image, document }: JsonObject, at: string, path: string): MediaBlock[] {
  const medium = isObject(image) ? image : isObject(document) ? document : undefined
  if (!medium) return []
  const data = stringOf(objectOf(medium.source).bytes)
  return [{ kind: isObject(image) ? 'image' : 'document', at, path, mediaType: undefined, data }]
}
