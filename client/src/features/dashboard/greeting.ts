import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
/** Greets the user by their first name, by the local time of day. */
export function greeting(now: Date, name: string): string {
  const hour = now.getHours();
  const first = name.trim().split(/\s+/)[0] ?? name;
  if (hour >= 5 && hour < 12) return messages.morning({ name: first });
  if (hour >= 12 && hour < 18) return messages.afternoon({ name: first });
  return messages.evening({ name: first });
}
