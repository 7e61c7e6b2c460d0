export async function loader(_a?: string) {}
export function InstancePage() {
  return null
}
