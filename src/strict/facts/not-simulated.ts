/** The facts that no simulator enforces, by id, each with the reason. Those with evidence I are never enforced and need none. */
export const notSimulated: Readonly<Record<string, string>> = {
  'ds-empty-tools': 'The words were not seen.',
  'gq-pairing': 'It is a fault that is not refused.',
  'fw-template': 'The host was not named. The text is one of the templates.',
  'an-legacy-text': 'The words are obsolete: they are now those of an-missing-result.',
  'an-alternate-legacy': 'It is no longer refused: neighbours of one side are combined.',
  'or-async': 'It is a freedom, and nothing that is refused.',
  'an-order': 'It is a freedom, and nothing that is refused.',
}
