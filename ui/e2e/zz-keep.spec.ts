import { test } from '@playwright/test'

test('keep', async () => {
  test.setTimeout(4_000_000)
  await new Promise((done) => setTimeout(done, 3_600_000))
})
