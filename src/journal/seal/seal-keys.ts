import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { AntiphonError } from '../../core/errors.ts'
import { sealedError } from './sealed-error.ts'

/** The thread that a key is for. */
export interface SealedThread {
  readonly thread: string
  /** The random id of the thread. */
  readonly uid: string
}

/** Wraps the keys of threads, as a key management service does. A wrapped key is stored with the first entry of its thread. */
export interface SealKeys {
  wrap(key: Uint8Array, thread: SealedThread): Uint8Array | Promise<Uint8Array>
  unwrap(wrapped: Uint8Array, thread: SealedThread): Uint8Array | Promise<Uint8Array>
}

/** A key of 32 bytes that wraps the keys of all threads, or functions that do. */
export type Seal = Uint8Array | SealKeys

export function sealKeysOf(seal: Seal): SealKeys {
  if (!(seal instanceof Uint8Array)) return seal
  if (seal.byteLength !== keyBytes)
    throw new AntiphonError('wrong-number', `seal must be a key of ${keyBytes} bytes, got ${seal.byteLength}`, {
      hint: 'create one with crypto.randomBytes(32), and store it safely',
    })
  const key = prepareKey(Uint8Array.from(seal))
  return {
    wrap: (threadKey, thread) => encrypt(key, threadKey, sealedIdOf(thread)),
    unwrap: (wrapped, thread) => decrypt(key, wrapped, sealedIdOf(thread)),
  }
}

/** The associated data (AAD) of a thread's wrapped key, and a part of that of its entries. It includes the name, so that a thread that is renamed in the database cannot be read as another one. */
export const sealedIdOf = ({ thread, uid }: SealedThread): string => JSON.stringify([uid, thread])

export const randomKey = (): Uint8Array => randomBytes(keyBytes)

/** The prepared key of the cipher: preparing it each time would cost more than encrypting a small entry. */
export const prepareKey = (key: Uint8Array): KeyObject => createSecretKey(key)

/** AES-256-GCM: nonce, authentication tag, ciphertext. `context` is the associated data (AAD): it is not stored, and decrypting needs the same value. */
export function encrypt(key: KeyObject, plain: Uint8Array | string, context: string): Buffer {
  const nonce = randomNonce()
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context))
  const text = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
  // In this mode `final` has no more text.
  cipher.final()
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** Random numbers are made in batches: one at a time would slow down every write measurably. */
let nonces = Buffer.alloc(0)
let usedNonces = 0

function randomNonce(): Buffer {
  if (usedNonces === nonces.length) {
    nonces = randomBytes(256 * nonceBytes)
    usedNonces = 0
  }
  const nonce = nonces.subarray(usedNonces, usedNonces + nonceBytes)
  usedNonces += nonceBytes
  return nonce
}

/** Throws if it was encrypted with another key, or changed. */
export function decrypt(key: KeyObject, sealed: Uint8Array, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(tagOf(sealed))
  const plain = decipher.update(sealed.subarray(nonceBytes + tagBytes))
  decipher.final()
  return plain
}

/** The authentication tag of a ciphertext. Throws if the ciphertext is too short: a Buffer can share its memory, and a read past its end would return other data. */
export function tagOf(sealed: Uint8Array): Buffer {
  if (sealed.byteLength < ciphertextMin) throw sealedError('a ciphertext was cut off')
  return Buffer.from(sealed.buffer, sealed.byteOffset + nonceBytes, tagBytes)
}

/** The authentication tag of a ciphertext, both in base64, without decoding all of it. */
export const tagOfText = (sealed: string): string =>
  tagOf(Buffer.from(sealed.slice(0, tagEnd), 'base64')).toString('base64')

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** The length of the ciphertext of an empty text, in bytes. In base64 it is longer. */
export const ciphertextMin = nonceBytes + tagBytes
/** Where the authentication tag of a ciphertext in base64 ends, which has four characters for three bytes. */
const tagEnd = Math.ceil((nonceBytes + tagBytes) / 3) * 4
