import "./limits-of-environment.ts";
import "./cheap-passwords.ts";
import "../../server/main.ts";
