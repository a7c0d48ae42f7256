import { testLaws } from './test-laws.ts'

testLaws('pydantic-ai')
