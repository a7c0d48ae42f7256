import { isReference } from '../../answers/reference.ts'
import { type JsonObject, stringOf } from '../../json.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'
import type { ServerState } from '../../server/state.ts'

/** Items of the input that only the server itself can read: references, and reasoning without its text. */
export function unreadableContent({ body, state, issuer }: RawRequest): RejectionReason[] {
  if (!body || !state) return []
  return state
    .input(body)
    .flatMap((item, index) => [
      ...unknown(item, `input[${index}]`, state, body.store === false),
      ...encrypted(item, `input[${index}]`, state, issuer),
    ])
}

/** An id alone is unknown without storage, and so are ids of another account. Other ids may be from another server. */
function unknown(item: JsonObject, at: string, state: ServerState, isStateless: boolean): RejectionReason[] {
  const id = stringOf(item.id)
  const isBare = isReference(item) || (item.type === 'reasoning' && !isCipher(item.encrypted_content))
  if (id === undefined || !isBare || state.item(id)) return []
  if (!isStateless && !state.verify && !state.isElsewhere(id)) return []
  const message = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`
  return [reject('or-not-persisted', message, at, { param: 'input', status: 404 })]
}

function encrypted(
  { type, id, encrypted_content: cipher }: JsonObject,
  at: string,
  state: ServerState,
  issuer: string | undefined,
): RejectionReason[] {
  if (!ciphered.test(stringOf(type) ?? '') || !isCipher(cipher)) return []
  if (form.test(cipher) && state.verifies(cipher, issuer)) return []
  const isElsewhere = state.signed(cipher) === undefined && state.isElsewhere(cipher)
  const subject =
    typeof id === 'string' && !isElsewhere
      ? `for item ${id}`
      : `${cipher.slice(0, 4)}...${isElsewhere ? '' : cipher.slice(-4)}`
  const reason = isElsewhere
    ? 'Encrypted content organization_id did not match the target organization.'
    : 'Encrypted content could not be decrypted or parsed.'
  const message = `The encrypted content ${subject} could not be verified. Reason: ${reason}`
  return [reject('or-encrypted', message, at, { code: 'invalid_encrypted_content' })]
}

const ciphered = /^(reasoning|compaction)/
const form = /^gAAAA[\w-]+=*$/

const isCipher = (value: unknown): value is string => typeof value === 'string' && value !== ''
