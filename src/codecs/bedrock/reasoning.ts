/** Whether reasoning carries its proof: a signature, or that it is encrypted as a whole, in bytes or as base64. */
export function isSigned({ reasoningText, redactedContent }: Reasoning): boolean {
  const proof = typeof reasoningText === 'object' && reasoningText !== null ? reasoningText.signature : redactedContent
  return typeof proof === 'string' ? proof !== '' : ArrayBuffer.isView(proof) && proof.byteLength > 0
}

export interface Reasoning {
  readonly reasoningText?: { readonly signature?: unknown } | null
  readonly redactedContent?: unknown
}
