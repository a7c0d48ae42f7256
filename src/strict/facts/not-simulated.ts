/**
 * The facts that the simulator does not enforce, by id, each with the reason. Facts with evidence I are never enforced and
 * need no entry.
 */
export const notSimulated: Readonly<Record<string, string>> = {
  'ds-empty-tools': 'The error message was not seen.',
  'gq-pairing': 'It is an error that the provider does not reject.',
  'fw-template': 'The host was not named. The text is one of the templates.',
  'an-legacy-text': 'The message is obsolete: it is now that of an-missing-result.',
  'an-alternate-legacy': 'It is no longer rejected: neighbours of one side are combined.',
  'or-async': 'It is allowed, so nothing is rejected.',
  'ol-collate': 'It is accepted, and what is lost shows only in the prompt.',
  'gi-unsigned-thought': 'It is no longer rejected: the API accepts its own unsigned thoughts since July 2026.',
  'an-order': 'It is allowed, so nothing is rejected.',
}
