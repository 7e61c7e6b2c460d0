export async function loader(_p: object) {}
export function HoldingsNewPage() {
  return null
}
export function HoldingsEditPage() {
  return null
}
