/** The facts that no simulator enforces, by id, each with the reason. Those with evidence I are never enforced and need none. */
export const notSimulated: Readonly<Record<string, string>> = {
  'or-dup-output':
    'It was said by a gateway. Whether OpenAI itself says it is not established, so only a pedantic server does.',
  'co-v1-empty': 'The first version of the API has a shape of its own, which no simulator speaks.',
  'co-v1-user-after-tool': 'The first version of the API has a shape of its own, which no simulator speaks.',
  'ds-empty-tools': 'The words were not seen.',
  'gq-pairing': 'It is a fault that is not refused.',
  'fw-template': 'The host was not named. The text is one of the templates.',
  'an-legacy-text': 'The words are obsolete: they are now those of an-missing-result.',
  'an-alternate-legacy': 'It is no longer refused: neighbours of one side are combined.',
  'an-order': 'It is a freedom, and nothing that is refused.',
}
