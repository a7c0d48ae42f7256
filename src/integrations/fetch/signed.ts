import { AntiphonError } from '../../core/errors.ts'

/** Why a request must not be changed: it has a signature over its body. Undefined if it may be changed. */
export function signatureError(url: URL, headers: Pick<Headers, 'get' | 'has'>): AntiphonError | undefined {
  const authorization = headers.get('authorization') ?? ''
  const hash = headers.get('x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD'
  if (/^AWS4-/i.test(authorization) || hash !== 'UNSIGNED-PAYLOAD' || url.searchParams.has('X-Amz-Signature'))
    return signed('heal it before it is signed, with antiphon/adapters/aws-sdk, or send it with a bearer key')
  if (/^Signature\s/i.test(authorization) || headers.has('signature-input'))
    return signed('heal the body with healRequest before it is signed')
  return undefined
}

const signed = (hint: string): AntiphonError =>
  new AntiphonError('signed-request', 'a request is signed over its body, so it is not repaired', { hint })
