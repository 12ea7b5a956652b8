import "./cheap-passwords.ts";
import "../../server/main.ts";
