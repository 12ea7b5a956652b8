/** The users of the demo: two for whoever tries it, and simulated colleagues. */
export interface Role {
  name: string;
  email: string;
  role: "admin" | "editor";
  group: string;
}

/** The demo listens on this machine only, so one public password is enough. */
export const DEMO_PASSWORD = "watch the floor";

export const owner = { name: "Mira Olsen", email: "mira@example.com" };

export const visitor: Role = {
  name: "Sam Rivera",
  email: "sam@example.com",
  role: "editor",
  group: "Service Desk",
};

export const colleagues: readonly Role[] = [
  ["Priya Nair", "Network"],
  ["Tomás Silva", "Workplace"],
  ["Hanna Lindqvist", "Business Applications"],
  ["Kofi Mensah", "Service Desk"],
  ["Yuki Tanaka", "Service Desk"],
  ["Olga Petrova", "Network"],
].map(([name = "", group = ""]) => {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll(" ", ".");
  return { name, email: `${plain}@example.com`, role: "editor", group };
});
